import { Button, Collapse, SegmentedControl, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import IconListSearch from '@tabler/icons-react/dist/esm/icons/IconListSearch.mjs'
import { useMemo, useState } from 'react'
import { keywordCategories, keywordCategoryNames } from '#contract/keywords/keywords.ts'
import type { RecordingDetails } from '#contract/entities/recording.ts'
import type { TranslationResult } from '#contract/translation.ts'
import { baseName, downloadFile } from '../../../shared/download.ts'
import { CategoryIcon } from '../../../shared/keywords/category.tsx'
import { useKeywords } from '../../../shared/keywords/use-keywords.ts'
import { useUser } from '../../../shared/session/session.ts'
import { Panel } from '../../../shared/ui/panel.tsx'
import { keywordsInUse } from '#contract/keywords/defaults.ts'
import { analyse, analysisExport, totalCounts, type TextChoice } from './analysis.ts'
import { HighlightedText, MarkLegend } from './highlighted-text.tsx'
import { useSpeakers } from '../speakers/recording-speakers.ts'
import { createSpeakerFinder } from '../speakers/speaker-offsets.ts'
import classes from './analysis-panel.module.css'

const choices = [
  { value: 'both', label: 'Both Texts' },
  { value: 'transcription', label: 'Transcription Only' },
  { value: 'translation', label: 'Translation Only' },
]

interface AnalysisPanelProps {
  recording: RecordingDetails
  translation: TranslationResult | null
}

/** The keywords found in transcript and translation (audio-workflow specification, section 2). */
export function AnalysisPanel({ recording, translation }: AnalysisPanelProps) {
  const { keywords: own } = useKeywords(useUser().id)
  const [choice, setChoice] = useState<TextChoice>('both')
  const [isShown, shown] = useDisclosure(true)
  const keywords = keywordsInUse(own)
  const { transcription } = recording
  const texts = useMemo(() => {
    if (!transcription) return []
    return analyse(
      keywords,
      {
        transcription: { text: transcription.transcription, language: transcription.detected_language },
        translation: translation && { text: translation.translated_text, language: translation.target_language },
      },
      choice,
    )
  }, [keywords, transcription, translation, choice])
  const counts = totalCounts(texts)
  const { describe, voices } = useSpeakers()
  const speakerAt = useMemo(() => transcription && createSpeakerFinder(transcription), [transcription])

  function nameAt(offset: number): string | undefined {
    const speaker = speakerAt?.(offset)
    return speaker === undefined ? undefined : describe(speaker).name
  }

  function exportJson() {
    const content = JSON.stringify(analysisExport({ keywords, texts, voices, transcription, now: new Date() }), null, 2)
    downloadFile(`${baseName(recording.name)}-analysis.json`, content, 'application/json')
  }

  return (
    <Panel
      title="Intelligence Analysis"
      icon={<IconListSearch size={20} stroke={1.5} aria-hidden />}
      actions={
        <Button.Group>
          <Button variant="default" size="xs" onClick={exportJson}>
            Export JSON
          </Button>
          <Button variant="default" size="xs" onClick={shown.toggle} aria-expanded={isShown}>
            {isShown ? 'Collapse' : 'Expand'}
          </Button>
        </Button.Group>
      }
    >
      <dl className={classes.counts}>
        {keywordCategories.map((category) => (
          <div key={category} data-category={category}>
            <dt>
              <CategoryIcon category={category} />
              {keywordCategoryNames[category].name}
            </dt>
            <dd>{counts[category]}</dd>
          </div>
        ))}
      </dl>
      <Collapse expanded={isShown}>
        <SegmentedControl
          data={choices}
          value={choice}
          onChange={(value) => setChoice(toChoice(value))}
          aria-label="Texts to scan"
          size="xs"
          mb="md"
          classNames={{ root: classes.choices, label: classes.choiceLabel }}
        />
        {choice === 'translation' && !translation && <Text c="dimmed">No translation available</Text>}
        {texts.some(({ hits }) => hits.some(({ isSimilar }) => isSimilar)) && <MarkLegend />}
        <div className={classes.analysed}>
          {texts.map((entry) => (
            <HighlightedText
              key={entry.name}
              entry={entry}
              nameAt={entry.name === 'transcription' ? nameAt : undefined}
            />
          ))}
        </div>
      </Collapse>
    </Panel>
  )
}

function toChoice(value: string): TextChoice {
  return value === 'transcription' || value === 'translation' ? value : 'both'
}
