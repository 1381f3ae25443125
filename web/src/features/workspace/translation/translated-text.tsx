import { Switch, Tabs, Text } from '@mantine/core'
import type { SpeakerTranslation, TranslatedSegment, TranslationResult } from '#contract/translation.ts'
import { formatClock } from '../../../shared/format.ts'
import { useAtomValue } from '../../../shared/jotai.ts'
import { useSettings } from '../../../shared/settings.ts'
import { DirectionalText } from '../../../shared/ui/directional-text.tsx'
import { playerTimeAtom, type Player } from '../player/use-player.ts'
import { NotTranslatedNote, type RetryLines } from './not-translated.tsx'
import type { ScrollLink } from '../timeline/scroll-link.ts'
import { segmentAt } from '../timeline/segment-at.ts'
import { SpeakerChip } from '../speakers/speaker-chip.tsx'
import { useSpeakerDesk } from '../speakers/speaker-desk.ts'
import { TranslationTimeline } from './translation-timeline.tsx'
import classes from '../workspace.module.css'

interface TranslatedTextProps {
  translation: TranslationResult
  player: Player
  link: ScrollLink
  /** Undefined where lines cannot be translated by themselves. */
  onRetry: RetryLines | undefined
}

/** A translation in order of time, level with the transcript; or by speaker, each line beside its original where the reader wants it. */
export function TranslatedText({ translation, player, link, onRetry }: TranslatedTextProps) {
  const { settings, change } = useSettings()
  const { showOriginal } = settings.translation
  const hasSpeakers = translation.speaker_translations.length > 0
  const originals = (className?: string) => (
    <Switch
      size="sm"
      mb="md"
      className={className}
      label="Show original"
      checked={showOriginal}
      onChange={(event) =>
        change({ translation: { ...settings.translation, showOriginal: event.currentTarget.checked } })
      }
    />
  )
  return (
    <Tabs defaultValue={translation.segments.length > 0 ? 'timeline' : 'text'} keepMounted={false}>
      <Tabs.List className={classes.tabs}>
        <Tabs.Tab value="timeline">Translation Timeline</Tabs.Tab>
        <Tabs.Tab value="text">{hasSpeakers ? 'By speaker' : 'Text'}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="timeline">
        <NotTranslatedNote translation={translation} onRetry={onRetry} />
        {originals(classes.stackedOnly)}
        <TranslationTimeline
          translation={translation}
          showOriginal={showOriginal}
          player={player}
          link={link}
          onRetry={onRetry}
        />
      </Tabs.Panel>
      <Tabs.Panel value="text">
        {originals()}
        <TranslationBlocks translation={translation} showOriginal={showOriginal} />
      </Tabs.Panel>
    </Tabs>
  )
}

interface TranslationBlocksProps extends Pick<TranslatedTextProps, 'translation'> {
  showOriginal: boolean
}

/** One block a speaker, or one of all. */
function TranslationBlocks({ translation, showOriginal }: TranslationBlocksProps) {
  const languages = { source: translation.source_language, target: translation.target_language }
  if (translation.speaker_translations.length === 0) {
    const { segments, translated_text: text } = translation
    return <Lines segments={segments} text={text} languages={languages} showOriginal={showOriginal} />
  }
  return (
    <div className={classes.blocks}>
      {translation.speaker_translations.map((entry) => (
        <SpeakerBlock key={entry.speaker} entry={entry} languages={languages} showOriginal={showOriginal} />
      ))}
    </div>
  )
}

interface Languages {
  source: string
  target: string
}

interface SpeakerBlockProps {
  entry: SpeakerTranslation
  languages: Languages
  showOriginal: boolean
}

function SpeakerBlock({ entry, languages, showOriginal }: SpeakerBlockProps) {
  const speaker = useSpeakerDesk().describe(entry.speaker)
  return (
    <section className={classes.block} aria-label={speaker.name}>
      <header className={classes.blockHead}>
        <SpeakerChip speaker={speaker} isNamed />
      </header>
      {entry.error ? (
        <Text c="var(--mantine-color-error)">Error: {entry.error}</Text>
      ) : (
        <Lines
          segments={entry.segments}
          text={entry.translated_text}
          languages={languages}
          showOriginal={showOriginal}
        />
      )}
    </section>
  )
}

interface LinesProps {
  segments: TranslatedSegment[]
  text: string
  languages: Languages
  showOriginal: boolean
}

function Lines({ segments, text, languages, showOriginal }: LinesProps) {
  const spoken = segmentAt(segments, useAtomValue(playerTimeAtom))
  if (segments.length === 0) {
    if (!text) return <Text c="dimmed">No translation available</Text>
    return <DirectionalText language={languages.target}>{text}</DirectionalText>
  }
  return (
    <ol className={classes.lines}>
      {segments.map((segment, index) => (
        <li
          key={`${segment.start}-${segment.end}`}
          className={classes.pair}
          data-paired={showOriginal || undefined}
          aria-current={index === spoken || undefined}
        >
          <span className={classes.times}>{formatClock(segment.start)}</span>
          {segment.error ? (
            <Text c="var(--mantine-color-error)">Error: {segment.error}</Text>
          ) : (
            <DirectionalText language={languages.target}>
              {segment.translated_text || 'No translation available'}
            </DirectionalText>
          )}
          {showOriginal && (
            <DirectionalText language={languages.source} className={classes.original}>
              {segment.text}
            </DirectionalText>
          )}
        </li>
      ))}
    </ol>
  )
}
