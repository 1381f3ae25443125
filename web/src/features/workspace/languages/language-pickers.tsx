import { Select } from '@mantine/core'
import type { ModelHealth } from '#contract/entities/model-health.ts'
import { useLanguages } from '../../../shared/recordings/languages.ts'
import { useSettings } from '../../../shared/settings.ts'
import { sameLanguage, type SelectedLanguages } from './selected-languages.ts'
import classes from './language-pickers.module.css'

/** Where the spoken language is not known, or a speaker changes it. */
const detections = [
  { value: 'auto', label: 'Detect language' },
  { value: 'multi', label: 'Detect part by part' },
]

interface LanguagePickersProps {
  selected: SelectedLanguages
  onSelect: (selected: SelectedLanguages) => void
  /** Whether the right channel may speak a language of its own. */
  isStereo: boolean
  target: string
  onTargetChange: (code: string) => void
}

/** Pickers of the spoken languages and of the translation's. Languages without a working model are marked in the lists. */
export function LanguagePickers({ selected, onSelect, isStereo, target, onTargetChange }: LanguagePickersProps) {
  const { transcription, translation, features } = useLanguages()
  const { settings, change } = useSettings()
  const problems = problemsOf(features?.models ?? [])
  const spokenOptions = [
    ...options(transcription, features?.transcription, problems),
    ...(features?.language_detection === false ? [] : detections),
  ]

  function chooseTarget(code: string) {
    onTargetChange(code)
    change({ translation: { ...settings.translation, targetLanguage: code } })
  }

  return (
    <div className={classes.pickers}>
      <Select
        label="Transcription Language"
        error={problems.get(selected.language)}
        searchable
        data={spokenOptions}
        value={selected.language}
        onChange={(code) => code && onSelect({ ...selected, language: code })}
      />
      {isStereo && (
        <Select
          label="Right Channel"
          searchable
          data={[{ value: sameLanguage, label: 'Same as the left' }, ...spokenOptions]}
          value={selected.rightLanguage}
          onChange={(code) => code && onSelect({ ...selected, rightLanguage: code })}
        />
      )}
      <Select
        label="Translation Language"
        searchable
        data={options(translation, features?.translation_targets, noProblems)}
        value={target}
        onChange={(code) => code && chooseTarget(code)}
      />
    </div>
  )
}

/** Returns by language code why it cannot be transcribed although a model was chosen for it. */
function problemsOf(models: ModelHealth[]): Map<string, string> {
  const broken = models.filter(({ kind }) => kind === 'speech')
  return new Map(
    broken.flatMap(({ languages, problem }) => languages.flatMap((code) => (problem ? [[code, problem]] : []))),
  )
}

const noProblems = new Map<string, string>()

/** Lists the languages that the models handle first, the others after them with a note. */
function options(names: Record<string, string>, handled: string[] | undefined, problems: Map<string, string>) {
  const isHandled = (code: string) => !handled || handled.includes(code)
  const entries = Object.entries(names)
  const ready = entries.filter(([code]) => isHandled(code)).map(([value, label]) => ({ value, label }))
  const rest = entries
    .filter(([code]) => !isHandled(code))
    .map(([value, label]) => ({
      value,
      label: `${label} (${problems.has(value) ? 'its model cannot be used' : 'no model here'})`,
    }))
  return [...ready, ...rest]
}
