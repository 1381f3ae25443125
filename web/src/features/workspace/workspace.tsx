import { useDisclosure } from '@mantine/hooks'
import { useMemo, useRef, useState } from 'react'
import type { RecordingDetails } from '#contract/entities/recording.ts'
import { useSettings } from '../../shared/settings.ts'
import { useTitle } from '../../shared/use-title.ts'
import { AnalysisPanel } from './analysis/analysis-panel.tsx'
import { DiarizationPanel } from './diarization/diarization-panel.tsx'
import { LanguagePickers } from './languages/language-pickers.tsx'
import { initialLanguages } from './languages/selected-languages.ts'
import { PlayerCard } from './player/player-card.tsx'
import { PlayerContext } from './player/player-context.ts'
import { ShortcutsDialog } from './player/shortcuts-dialog.tsx'
import { useAudioPlayer } from './player/use-audio-player.ts'
import { usePlayerShortcuts } from './player/use-player-shortcuts.ts'
import { SpeakersContext, useRecordingSpeakers } from './speakers/recording-speakers.ts'
import { SpeakersPanel } from './speakers/speakers-panel.tsx'
import { createScrollLink } from './timeline/scroll-link.ts'
import { TimelineContext } from './timeline/timeline-context.ts'
import { NowPlaying } from './transcription/now-playing.tsx'
import { TranscriptionPanel } from './transcription/transcription-panel.tsx'
import { TranslationPanel } from './translation/translation-panel.tsx'
import { WorkspaceHeader } from './workspace-header.tsx'
import classes from './workspace.module.css'

/** The recording on top, its transcript beside the translation, then what is found in both. */
export function Workspace({ recording: found }: { recording: RecordingDetails }) {
  const { speakers, transcription, editing } = useRecordingSpeakers(found)
  const recording = useMemo(() => ({ ...found, transcription }), [found, transcription])
  useTitle(recording.name)
  const { settings } = useSettings()
  const [selected, setSelected] = useState(() => initialLanguages(found))
  const [target, setTarget] = useState(settings.translation.targetLanguage)
  const player = useAudioPlayer(recording.duration)
  const [scrollLink] = useState(createScrollLink)
  const transcriptSearch = useRef<HTMLInputElement>(null)
  const timeline = useMemo(() => ({ scrollLink, transcriptSearch }), [scrollLink])
  const [isHelpShown, help] = useDisclosure(false)
  const actions = useMemo(() => ({ search: () => transcriptSearch.current?.focus(), help: help.open }), [help.open])
  usePlayerShortcuts(player, actions)
  const translation = recording.translations.find((result) => result.target_language === target) ?? null

  return (
    <SpeakersContext value={speakers}>
      <PlayerContext value={player}>
        <TimelineContext value={timeline}>
          <div className={classes.workspace}>
            <WorkspaceHeader recording={recording} translation={translation}>
              <LanguagePickers
                selected={selected}
                onSelect={setSelected}
                isStereo={recording.is_stereo}
                target={target}
                onTargetChange={setTarget}
              />
            </WorkspaceHeader>
            <PlayerCard recording={recording}>
              <NowPlaying transcription={transcription} />
            </PlayerCard>
            {transcription && <SpeakersPanel transcription={transcription} editing={editing} />}
            <div className={classes.columns}>
              <TranscriptionPanel recording={recording} selected={selected} onSelect={setSelected} />
              <TranslationPanel
                recording={recording}
                translation={translation}
                language={selected.language}
                target={target}
              />
            </div>
            <div className={classes.findings}>
              {transcription && <AnalysisPanel recording={recording} translation={translation} />}
              <DiarizationPanel recording={recording} selected={selected} />
            </div>
            <ShortcutsDialog isOpen={isHelpShown} onClose={help.close} />
          </div>
        </TimelineContext>
      </PlayerContext>
    </SpeakersContext>
  )
}
