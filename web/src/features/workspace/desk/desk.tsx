import { Stack, Text, Group } from '@mantine/core'
import { useDisclosure, useMediaQuery } from '@mantine/hooks'
import { memo, useEffect, useRef } from 'react'
import IconUsers from '@tabler/icons-react/dist/esm/icons/IconUsers.mjs'
import type { RecordingDetails } from '#contract/entities/recording.ts'
import { t } from '#contract/texts/t.ts'
import { useSetAtom } from '../../../shared/jotai.ts'
import { useTitle } from '../../../shared/use-title.ts'
import { CallMap } from '../call-map/call-map.tsx'
import { Conversation } from '../conversation/conversation.tsx'
import { DiarizationPanel } from '../diarization/diarization-panel.tsx'
import { ExportMenu } from '../exports/export-menu.tsx'
import { Listening } from '../listening/listening.tsx'
import { PlayerBar } from '../player/player.tsx'
import { PlayerContext } from '../player/player-context.ts'
import { useAudioPlayer } from '../player/use-audio-player.ts'
import { DoubtDialog } from '../review/doubt-dialog.tsx'
import { HeardLines } from '../review/heard-lines.ts'
import { SpeakersContext } from '../speakers/recording-speakers.ts'
import { SpeakersPanel } from '../speakers/speakers-panel.tsx'
import { NowPlaying } from '../transcription/now-playing.tsx'
import { TranscriptionStart } from '../transcription/transcription-start.tsx'
import { TranslationNotes } from '../translation/translation-notes.tsx'
import { pageCommandsAtom } from '../../../shared/commands.ts'
import { CaseChip } from '../../../shared/cases/case-chip.tsx'
import { useCasesOfRecording } from '../../../shared/cases/use-cases-of-recording.ts'
import common from '../../../shared/ui/common.module.css'
import { DeskContext, useDesk } from '../state/desk-context.ts'
import { DeskHead } from './desk-head.tsx'
import classes from './desk.module.css'
import { LanguageBar } from './language-bar.tsx'
import { resetNavigationAtom } from '../state/navigation.ts'
import { Opening } from '../state/opening.tsx'
import { RecordingAccessContext } from '../state/permissions.ts'
import { WorkContext, useWork } from '../state/work-context.ts'
import { JobFailure } from '../panel/job-failure.tsx'
import { JobProgress } from '../panel/job-progress.tsx'
import { ShortcutsDialog } from './shortcuts-dialog.tsx'
import { PanelSheets, SidePanel } from './side-panel.tsx'
import { StartAtTime } from './start-at-time.tsx'
import { useDeskState } from './use-desk-state.ts'
import { type ShortcutAction, shortcuts, useShortcuts } from './shortcuts.ts'
import { useDeskActions } from './use-desk-actions.ts'

const reasons = {
  owner: t('Members of these cases read this recording.'),
  edit: t('You may correct this recording. Its owner alone transcribes, translates and renames it.'),
  view: t('You may read this recording. Ask the owner of the case for the right to correct it.'),
}

/** Runs the actions of the desk by keyboard, and offers them in the command palette; renders nothing. */
function DeskKeys({ onHelp }: { onHelp: () => void }) {
  const { goToTime, ...actions } = useDeskActions({ onHelp })
  useShortcuts(actions)
  usePaletteCommands(actions, goToTime)
  return null
}

function usePaletteCommands(actions: Record<ShortcutAction, () => void>, goToTime: (seconds: number) => void) {
  const setCommands = useSetAtom(pageCommandsAtom)
  const latest = useRef({ actions, goToTime })
  useEffect(() => {
    latest.current = { actions, goToTime }
  })
  useEffect(() => {
    setCommands({
      commands: shortcuts.map(({ action, effect, shown }) => ({
        id: action,
        label: effect,
        keys: shown,
        run: () => latest.current.actions[action](),
      })),
      goToTime: (seconds) => latest.current.goToTime(seconds),
    })
    return () => setCommands(null)
  }, [setCommands])
}

/** Below this width the panels are sheets and the player is at the bottom. */
const narrowScreen = '(max-width: 62em)'

/** One screen to hear, read, correct and search a recording: lists scroll, the page does not. */
export function DeskScreen({ recording }: { recording: RecordingDetails }) {
  useTitle(recording.name)
  const player = useAudioPlayer(recording.duration)
  return (
    <PlayerContext value={player}>
      <Opening>
        <LoadedDesk recording={recording} />
      </Opening>
    </PlayerContext>
  )
}

/** The conversation, or its placeholder until the first words are found. */
function Lines() {
  const { transcription, lines } = useDesk()
  if (!transcription && lines.length === 0)
    return (
      <Text m="auto" inherit p="md" c="dimmed" ta="center">
        {t('The words appear here while they are found.')}
      </Text>
    )
  return <Conversation />
}

/** Memoized: renders when the recording or its results change, not with the player. */
const LoadedDesk = memo(function LoadedDesk({ recording }: { recording: RecordingDetails }) {
  const { desk, speakers, correcting, work, setTarget } = useDeskState(recording)
  const [isHelpShown, help] = useDisclosure(false)
  const isNarrow = useMediaQuery(narrowScreen, undefined, { getInitialValueInEffect: false })
  const resetNavigation = useSetAtom(resetNavigationAtom)
  useEffect(() => resetNavigation(), [resetNavigation])
  const isStarting = !desk.transcription && !work.transcribe.job && !work.diarize.job
  const speakersPanel = (
    <>
      {desk.transcription && <SpeakersPanel transcription={desk.transcription} editing={correcting} />}
      <DiarizationPanel />
    </>
  )
  return (
    <RecordingAccessContext value={recording.access}>
      <DeskContext value={desk}>
        <SpeakersContext value={speakers}>
          <WorkContext value={work}>
            <div className={classes.desk} data-fills-screen>
              <DeskHead onHelp={help.open}>
                <ExportMenu />
              </DeskHead>
              <PlayerBar recordingId={recording.id} map={<CallMap />}>
                <Listening key={recording.id} />
                <NowPlaying />
              </PlayerBar>
              <div className={classes.work}>
                <SharedNotice />
                <LanguageBar onTargetChange={setTarget} />
                <JobStrip />
                <TranslationNotes />
                <Stack gap={0} flex={1} mih={0}>
                  {isStarting ? <TranscriptionStart /> : <Lines />}
                </Stack>
              </div>
              {isNarrow ? <PanelSheets speakers={speakersPanel} /> : <SidePanel speakers={speakersPanel} />}
              <DeskKeys onHelp={help.open} />
              <StartAtTime />
              <HeardLines />
              <DoubtDialog />
              <ShortcutsDialog isOpen={isHelpShown} onClose={help.close} />
            </div>
          </WorkContext>
        </SpeakersContext>
      </DeskContext>
    </RecordingAccessContext>
  )
})

/** Progress of running jobs, and why the last one failed, above the conversation. */
function JobStrip() {
  const { transcribe, translate, diarize, isBusy } = useWork()
  const kinds = [
    { work: transcribe, initialText: t('Initializing transcription...') },
    { work: translate, initialText: t('Initializing translation...') },
    { work: diarize, initialText: t('Initializing diarization...') },
  ]
  const hasFailure = kinds.some(({ work }) => work.failure && !work.job)
  if (!isBusy && !hasFailure) return null
  return (
    <div className={classes.strip}>
      {kinds.map(({ work, initialText }) => (
        <div key={initialText} className={classes.kind}>
          {work.job && <JobProgress job={work.job} initialText={initialText} />}
          {work.failure && !work.job && <JobFailure failure={work.failure} />}
        </div>
      ))}
    </div>
  )
}

/** Says that a recording is shared, in which cases, and what that means here. Renders nothing if it is not. */
function SharedNotice() {
  const { recording } = useDesk()
  const cases = useCasesOfRecording(recording) ?? []
  const { access } = recording
  if (access === 'owner' && cases.length === 0) return null
  return (
    <Group
      gap="0.25rem 0.5rem"
      py={4}
      px="md"
      c="dimmed"
      bg="var(--awaz-sunken)"
      fz="sm"
      className={common.lineBelow}
      role="note"
    >
      <IconUsers size={16} stroke={1.5} aria-hidden />
      {cases.map((shown) => (
        <CaseChip key={shown.id} shown={shown} />
      ))}
      <span>{reasons[access]}</span>
    </Group>
  )
}
