import { Switch, Tabs } from '@mantine/core'
import type { TranslationResult } from '#contract/translation.ts'
import { useSettings } from '../../../shared/settings.ts'
import { NotTranslatedNote } from './not-translated-note.tsx'
import type { RetryLines } from './retry-line.tsx'
import classes from './translated-text.module.css'
import { TranslationBlocks } from './translation-blocks.tsx'
import { TranslationTimeline } from './translation-timeline.tsx'

interface TranslatedTextProps {
  translation: TranslationResult
  /** Undefined where single lines cannot be translated. */
  onRetry: RetryLines | undefined
}

/** A translation in order of time, or by speaker. */
export function TranslatedText({ translation, onRetry }: TranslatedTextProps) {
  const { settings } = useSettings()
  const { showOriginal } = settings.translation
  const hasSpeakers = translation.speaker_translations.length > 0
  return (
    <Tabs defaultValue={translation.segments.length > 0 ? 'timeline' : 'text'} keepMounted={false}>
      <Tabs.List mb="md">
        <Tabs.Tab value="timeline">Translation Timeline</Tabs.Tab>
        <Tabs.Tab value="text">{hasSpeakers ? 'By speaker' : 'Text'}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="timeline">
        <NotTranslatedNote translation={translation} onRetry={onRetry} />
        <OriginalSwitch className={classes.stackedOnly} />
        <TranslationTimeline translation={translation} showOriginal={showOriginal} onRetry={onRetry} />
      </Tabs.Panel>
      <Tabs.Panel value="text">
        <OriginalSwitch />
        <TranslationBlocks translation={translation} showOriginal={showOriginal} />
      </Tabs.Panel>
    </Tabs>
  )
}

function OriginalSwitch({ className }: { className?: string | undefined }) {
  const { settings, change } = useSettings()
  return (
    <Switch
      size="sm"
      mb="md"
      className={className}
      label="Show original"
      checked={settings.translation.showOriginal}
      onChange={(event) =>
        change({ translation: { ...settings.translation, showOriginal: event.currentTarget.checked } })
      }
    />
  )
}
