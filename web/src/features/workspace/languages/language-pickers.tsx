import { Select } from '@mantine/core'
import type { ModelHealth } from '#contract/entities/model-health.ts'
import { useLanguages } from '../../../shared/recordings/languages.ts'
import { useSettings } from '../../../shared/settings.ts'
import { sameLanguage, type SelectedLanguages } from './selected-languages.ts'
import classes from '../workspace.module.css'

/** For who does not know what is spoken, or hears more than one language from one speaker. */
const detections = [
  { value: 'auto', label: 'Detect language' },
  { value: 'multi', label: 'Detect part by part' },
]

interface LanguagePickersProps {
  picked: SelectedLanguages
  onPick: (picked: SelectedLanguages) => void
  /** Whether the right channel may speak a language of its own. */
  isStereo: boolean
  target: string
  onTarget: (code: string) => void
}

/** What is spoken, and what to translate into. What the active models cannot do says so in the list. */
export function LanguagePickers({ picked, onPick, isStereo, target, onTarget }: LanguagePickersProps) {
  const { transcription, translation, features } = useLanguages()
  const { settings, change } = useSettings()
  const problems = problemsOf(features?.models ?? [])
  const spoken = [
    ...options(transcription, features?.transcription, problems),
    ...(features?.language_detection === false ? [] : detections),
  ]

  function chooseTarget(code: string) {
    onTarget(code)
    change({ translation: { ...settings.translation, targetLanguage: code } })
  }

  return (
    <div className={classes.pickers}>
      <Select
        label="Transcription Language"
        error={problems.get(picked.language)}
        searchable
        data={spoken}
        value={picked.language}
        onChange={(code) => code && onPick({ ...picked, language: code })}
      />
      {isStereo && (
        <Select
          label="Right Channel"
          searchable
          data={[{ value: sameLanguage, label: 'Same as the left' }, ...spoken]}
          value={picked.right}
          onChange={(code) => code && onPick({ ...picked, right: code })}
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

/** Why a language cannot be transcribed although a model was chosen for it, by code. */
function problemsOf(models: ModelHealth[]): Map<string, string> {
  const broken = models.filter(({ kind }) => kind === 'speech')
  return new Map(
    broken.flatMap(({ languages, problem }) => languages.flatMap((code) => (problem ? [[code, problem]] : []))),
  )
}

const noProblems = new Map<string, string>()

/** Languages the models handle first, the others after them with a remark. */
function options(names: Record<string, string>, handled: string[] | undefined, problems: Map<string, string>) {
  const canDo = (code: string) => !handled || handled.includes(code)
  const entries = Object.entries(names)
  const ready = entries.filter(([code]) => canDo(code)).map(([value, label]) => ({ value, label }))
  const rest = entries
    .filter(([code]) => !canDo(code))
    .map(([value, label]) => ({
      value,
      label: `${label} (${problems.has(value) ? 'its model cannot be used' : 'no model here'})`,
    }))
  return [...ready, ...rest]
}
