import type { Job } from '#contract/entities/job.ts'
import { keywordCategories, type KeywordCategory } from '#contract/keywords/keywords.ts'
import type { LibraryFilter, LibraryRecording, RecordingState } from '#contract/library.ts'
import { t } from '#contract/texts/t.ts'
import { isActive } from '../../shared/events/jobs.ts'
import { comma, formatClock, formatClockRange, formatDate } from '../../shared/format.ts'
import { languageName } from '../../shared/recordings/languages.ts'

export const stateNames: Record<RecordingState, string> = {
  running: t('In progress'),
  waiting: t('Waiting'),
  failed: t('Failed'),
  new: t('Not transcribed'),
  done: t('Transcribed'),
}

export const categoryNames: Record<KeywordCategory, string> = {
  threats: t('Threats'),
  sentiment: t('Sentiment'),
  intent: t('Intent'),
  custom: t('Custom'),
}

/** Labels for a running job, by kind. */
const workNames = {
  transcribe: t('Transcribing'),
  translate: t('Translating'),
  diarize: t('Separating speakers'),
} as const

/** What is being done with a recording; `share` is the progress of a running job, 0 to 1, or null until known. */
interface RecordingProgress {
  state: RecordingState
  label: string
  share: number | null
}

/** Returns the state of a recording from the list, or from a newer event of its job. */
export function describeState({ state, job: listed }: LibraryRecording, live: Job | null): RecordingProgress {
  const job = live ?? listed
  if (job && isActive(job)) {
    if (job.state === 'queued') return { state: 'waiting', label: stateNames.waiting, share: null }
    const share = job.progress?.total_segments ? job.progress.current_segment / job.progress.total_segments : null
    return { state: 'running', label: workNames[job.kind], share }
  }
  // Refetching the list after a job ends takes a moment.
  const isOutdated = live !== null && (state === 'running' || state === 'waiting')
  const current = isOutdated ? endOf(live) : state
  return { state: current, label: stateNames[current], share: null }
}

function endOf({ state }: Job): RecordingState {
  if (state === 'failed') return 'failed'
  return state === 'done' ? 'done' : 'new'
}

/** Names the spoken languages, and those with a translation. */
export function describeLanguages({ languages, language, target_languages: targets }: LibraryRecording) {
  const spoken = languages.length > 0 ? languages : [language].filter((code) => code !== null)
  return { from: spoken.map(languageName).join(comma), to: targets.map(languageName).join(comma) }
}

/** Returns the categories with hits, and their counts. */
export function listHits({ hits }: LibraryRecording): { category: KeywordCategory; count: number }[] {
  return keywordCategories.map((category) => ({ category, count: hits[category] })).filter(({ count }) => count > 0)
}

/** One condition of a filter, and the filter without it. */
interface Condition {
  key: string
  name: string
  value: string
  without: LibraryFilter
}

/** Lists the conditions of a filter except the name, which is shown in its field. */
export function listConditions(filter: LibraryFilter, nameOfCase: (id: string) => string): Condition[] {
  const { states, languages, categories, tags } = filter
  const conditions: Condition[] = [
    ...states.map((state) => ({
      key: `state ${state}`,
      name: t('State'),
      value: stateNames[state],
      without: { ...filter, states: omit(states, state) },
    })),
    ...languages.map((code) => ({
      key: `language ${code}`,
      name: t('Language'),
      value: languageName(code),
      without: { ...filter, languages: omit(languages, code) },
    })),
    ...categories.map((category) => ({
      key: `category ${category}`,
      name: t('Hits'),
      value: categoryNames[category],
      without: { ...filter, categories: omit(categories, category) },
    })),
    ...tags.map((tag) => ({
      key: `tag ${tag}`,
      name: t('Tag'),
      value: tag,
      without: { ...filter, tags: omit(tags, tag) },
    })),
  ]
  if (filter.case) {
    const without = { ...filter, case: undefined }
    conditions.push({ key: 'case', name: t('Case'), value: nameOfCase(filter.case), without })
  }
  if (filter.from || filter.to) {
    const without = { ...filter, from: undefined, to: undefined }
    conditions.push({ key: 'date', name: t('Date'), value: describeDates(filter), without })
  }
  if (filter.min_duration !== undefined || filter.max_duration !== undefined) {
    const without = { ...filter, min_duration: undefined, max_duration: undefined }
    conditions.push({ key: 'duration', name: t('Duration'), value: describeDuration(filter), without })
  }
  return conditions
}

function omit<Item>(items: Item[], omitted: Item): Item[] {
  return items.filter((item) => item !== omitted)
}

/** Describes the days of a filter, whose `to` is the end of the last day, exclusive. */
export function describeDates({ from, to }: Pick<LibraryFilter, 'from' | 'to'>): string {
  const last = to && formatDate(new Date(new Date(to).getTime() - 1).toISOString())
  if (!from) return t('until {date}', { date: last ?? '' })
  if (!last) return t('since {date}', { date: formatDate(from) })
  return formatDate(from) === last ? last : `${formatDate(from)} – ${last}`
}

function describeDuration({ min_duration: min, max_duration: max }: LibraryFilter): string {
  if (min === undefined) return t('up to {max}', { max: formatClock(max ?? 0) })
  return max === undefined ? t('{min} or longer', { min: formatClock(min) }) : formatClockRange(min, max)
}
