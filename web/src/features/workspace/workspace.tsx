import { Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMemo, useRef, useState } from 'react'
import type { RecordingDetails } from '#contract/entities/recording.ts'
import { formatClock, formatMegabytes } from '../../shared/format.ts'
import { useSettings } from '../../shared/settings.ts'
import { useTitle } from '../../shared/use-title.ts'
import { AnalysisPanel } from './analysis/analysis-panel.tsx'
import { DiarizationPanel } from './diarization/diarization-panel.tsx'
import { initialLanguages } from './languages/selected-languages.ts'
import { ShortcutsDialog } from './player/shortcuts-dialog.tsx'
import { LanguagePickers } from './languages/language-pickers.tsx'
import { ProvenanceLine } from './provenance/provenance-line.tsx'
import { PlayerCard } from './player/player-card.tsx'
import { usePlayer } from './player/use-player.ts'
import { usePlayerShortcuts } from './player/use-player-shortcuts.ts'
import { createScrollLink } from './timeline/scroll-link.ts'
import { SpeakerDeskContext, useDeskOf } from './speakers/speaker-desk.ts'
import { SpeakersPanel } from './speakers/speakers-panel.tsx'
import { TranscriptionPanel } from './transcription/transcription-panel.tsx'
import { TranslationPanel } from './translation/translation-panel.tsx'
import classes from './workspace.module.css'

/** The desk: the recording on top, its transcript beside the translation, then what is found in both. */
export function Workspace({ recording: found }: { recording: RecordingDetails }) {
  const { desk, transcription, editing } = useDeskOf(found)
  const recording = useMemo(() => ({ ...found, transcription }), [found, transcription])
  useTitle(recording.name)
  const { settings } = useSettings()
  const [picked, setPicked] = useState(() => initialLanguages(found))
  const [target, setTarget] = useState(settings.translation.targetLanguage)
  const player = usePlayer(recording.duration)
  const [link] = useState(createScrollLink)
  const searchField = useRef<HTMLInputElement>(null)
  const [isHelpShown, help] = useDisclosure(false)
  const shown = useMemo(() => ({ search: () => searchField.current?.focus(), help: help.open }), [help.open])
  usePlayerShortcuts(player, shown)
  const translation = recording.translations.find((result) => result.target_language === target) ?? null

  return (
    <SpeakerDeskContext value={desk}>
      <div className={classes.workspace}>
        <header className={classes.head}>
          <div className={classes.title}>
            <Title order={1}>
              <bdi>{recording.name}</bdi>
            </Title>
            <Text c="dimmed" size="sm" className={classes.facts}>
              <span>{formatMegabytes(recording.size)}</span>
              <span>{formatClock(recording.duration)}</span>
              <span>{recording.is_stereo ? 'Stereo, two speakers' : 'Mono'}</span>
            </Text>
            {transcription && (
              <Text c="dimmed" size="sm" className={classes.models}>
                <ProvenanceLine what="Transcript" provenance={transcription.provenance} />
                {translation && <ProvenanceLine what="Translation" provenance={translation.provenance} />}
              </Text>
            )}
          </div>
          <LanguagePickers
            picked={picked}
            onPick={setPicked}
            isStereo={recording.is_stereo}
            target={target}
            onTarget={setTarget}
          />
        </header>
        <PlayerCard player={player} recording={recording} />
        {transcription && <SpeakersPanel transcription={transcription} editing={editing} player={player} />}
        <div className={classes.columns}>
          <TranscriptionPanel
            recording={recording}
            picked={picked}
            onPick={setPicked}
            player={player}
            searchField={searchField}
            link={link}
          />
          <TranslationPanel
            recording={recording}
            translation={translation}
            language={picked.language}
            target={target}
            player={player}
            link={link}
          />
        </div>
        <div className={classes.findings}>
          {transcription && <AnalysisPanel recording={recording} translation={translation} />}
          <DiarizationPanel recording={recording} picked={picked} player={player} />
        </div>
        <ShortcutsDialog isOpen={isHelpShown} onClose={help.close} />
      </div>
    </SpeakerDeskContext>
  )
}
