import type { ModelHealth } from '#contract/entities/model-health.ts'
import { t } from '#contract/texts/t.ts'

/** Returns, by language code, why a language cannot be transcribed although a model was chosen for it. */
export function languageProblems(models: ModelHealth[]): Map<string, string> {
  const broken = models.filter(({ kind }) => kind === 'speech')
  return new Map(
    broken.flatMap(({ languages, problem }) => languages.flatMap((code) => (problem ? [[code, problem]] : []))),
  )
}

interface LanguageNotes {
  /** Codes that the models handle; undefined if unknown. */
  handled: string[] | undefined
  /** Why a language has no working model. */
  problems?: Map<string, string>
  /** Codes to list first, since the recording has been translated into them. */
  finished?: string[]
}

/** Lists the finished languages first, then those that the models handle, then the others with a note. */
export function languageOptions(names: Record<string, string>, notes: LanguageNotes) {
  const { handled, problems, finished = [] } = notes
  const isHandled = (code: string) => !handled || handled.includes(code)
  const entries = Object.entries(names)
  const done = entries.filter(([code]) => finished.includes(code))
  const ready = entries.filter(([code]) => !finished.includes(code) && isHandled(code))
  const rest = entries.filter(([code]) => !finished.includes(code) && !isHandled(code))
  return [
    ...[...done, ...ready].map(([value, label]) => ({ value, label })),
    ...rest.map(([value, label]) => ({
      value,
      label: problems?.has(value)
        ? t('{language} (its model cannot be used)', { language: label })
        : t('{language} (no model here)', { language: label }),
    })),
  ]
}
