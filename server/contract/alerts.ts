import { z } from 'zod'
import { Keyword, KeywordCategory, keywordCategories } from './keywords/keywords.ts'
import { Tag } from './library.ts'
import { Id, Moment } from './scalars.ts'
import { t } from './texts/t.ts'

export const maxWatchLists = 50
export const maxWatchWords = 200
/** The maximum number of alerts of one recording; further hits raise none. */
export const maxAlertsPerRecording = 10_000
/** Alerts are deleted after this many days, or with their recording. */
export const alertRetentionDays = 180

/** Which texts of a recording are watched. */
export const WatchedTexts = z.enum(['original', 'translation', 'both'])
export type WatchedTexts = z.infer<typeof WatchedTexts>

/** A watch list as its owner enters it. */
export const WatchListInput = z
  .object({
    name: z.string().trim().min(1, t('Please enter a name')).max(60, t('A name has at most 60 characters')),
    /** Categories of the owner's keywords; the keywords are read when a job finishes. */
    categories: z.array(KeywordCategory).max(keywordCategories.length).default([]),
    /** Words in addition to the categories. */
    words: z
      .array(Keyword)
      .max(maxWatchWords, {
        error: () =>
          t('A watch list has at most {count, plural, one {# word} other {# words}}', { count: maxWatchWords }),
      })
      .default([]),
    texts: WatchedTexts.default('both'),
    /** A recording with fewer hits raises no alerts. */
    threshold: z
      .int()
      .min(1, t('The threshold is at least 1'))
      .max(1000, t('The threshold is at most 1,000'))
      .default(1),
    /** Only recordings with one of these tags are watched; empty for all recordings. */
    tags: z.array(Tag).max(20, t('A watch list has at most 20 tags')).default([]),
    is_on: z.boolean().default(true),
  })
  .refine(({ categories, words }) => categories.length > 0 || words.length > 0, {
    error: t('Choose a category or add a word'),
    path: ['words'],
  })
export type WatchListInput = z.infer<typeof WatchListInput>

const Count = z.int().nonnegative()

/** A search of the whole library for one watch list, which raises alerts for recordings finished earlier. */
export const WatchListScan = z.object({
  state: z.enum(['running', 'done', 'cancelled']),
  done: Count,
  total: Count,
  /** The number of alerts raised. */
  raised: Count,
})
export type WatchListScan = z.infer<typeof WatchListScan>

export const WatchList = z.object({
  id: Id,
  ...WatchListInput.shape,
  created_at: Moment,
  /** The number of its alerts that are neither reviewed nor dismissed. */
  unread: Count,
  /** The latest scan; null when there was none. */
  scan: WatchListScan.nullable(),
})
export type WatchList = z.infer<typeof WatchList>

export const AlertState = z.enum(['new', 'reviewed', 'dismissed'])
export type AlertState = z.infer<typeof AlertState>

/** A hit of a watch list in a recording. */
export const Alert = z.object({
  id: Id,
  watch_list: z.object({ id: Id, name: z.string() }),
  /** `is_capped`: the recording had more hits than the maximum number of alerts. */
  recording: z.object({ id: Id, name: z.string(), is_capped: z.boolean() }),
  /** Seconds from the start of the recording. */
  time: z.number().nonnegative(),
  speaker: z.string().nullable(),
  /** The language of the sentence; null when unknown. */
  language: z.string().nullable(),
  /** As spelled in the watch list or the keywords. */
  word: z.string(),
  /** Null for a word from the watch list itself. */
  category: KeywordCategory.nullable(),
  is_similar: z.boolean(),
  is_translation: z.boolean(),
  sentence: z.string(),
  /** The position of the hit in the sentence; end exclusive. */
  mark: z.tuple([Count, Count]),
  state: AlertState,
  /** The words are no longer in the text. */
  is_gone: z.boolean(),
  created_at: Moment,
})
export type Alert = z.infer<typeof Alert>

/** `gone` selects alerts whose words are no longer in the text; of the other filters, only `all` includes them. */
export const AlertStateFilter = z.enum(['all', 'new', 'reviewed', 'dismissed', 'gone'])
export type AlertStateFilter = z.infer<typeof AlertStateFilter>

/** `own` selects words from the watch lists themselves. */
export const AlertCategory = z.enum([...keywordCategories, 'own'])
export type AlertCategory = z.infer<typeof AlertCategory>

export const AlertFilter = z.object({
  watch_list: Id.optional(),
  recording: Id.optional(),
  category: AlertCategory.optional(),
  state: AlertStateFilter.default('new'),
})
export type AlertFilter = z.infer<typeof AlertFilter>

/** The maximum number of alerts that a request can list by id. */
export const maxAlertIds = 1_000

export const AlertSelection = z.union([
  z.strictObject({ ids: z.array(Id).min(1).max(maxAlertIds) }),
  z.strictObject({ filter: AlertFilter }),
])
export type AlertSelection = z.infer<typeof AlertSelection>

/** When mails about new alerts are sent. */
export const digestModes = ['off', 'immediately', 'hourly', 'daily'] as const
export const DigestMode = z.enum(digestModes)
export type DigestMode = z.infer<typeof DigestMode>

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

export const AlertDigest = z.object({
  mode: DigestMode,
  /** The hour of the day at which daily mails are sent. */
  hour: z.int().min(0).max(23),
  /** The time zone of `hour`, such as Asia/Kabul. */
  time_zone: z.string().max(60).refine(isTimeZone, 'Not a known time zone'),
  /** Whether mails quote recordings, speakers and sentences; otherwise they only count alerts and link to the inbox. */
  with_content: z.boolean(),
})
export type AlertDigest = z.infer<typeof AlertDigest>

export const defaultAlertDigest: AlertDigest = { mode: 'off', hour: 8, time_zone: 'UTC', with_content: false }
