import { z } from 'zod'
import { Recording } from './entities/recording.ts'
import { KeywordCategory, keywordCategories } from './keywords/keywords.ts'
import { ReviewProgress } from './review-state.ts'
import { Id, Moment } from './scalars.ts'
import { t } from './texts/t.ts'

/**
 * The state of a recording: nothing was done yet, its next job is waiting or running, it has a transcription, or the last attempt at its
 * first transcription failed. In the order of `sort: state`, ascending.
 */
export const recordingStates = ['running', 'waiting', 'failed', 'new', 'done'] as const
export const RecordingState = z.enum(recordingStates)
export type RecordingState = z.infer<typeof RecordingState>

/** The maximum number of recordings in one selection. */
export const maxSelected = 10_000

/** The maximum number of tags per recording. */
export const maxTags = 50

/** A word or short phrase with which an owner tags recordings. A comma separates tags in a URL. */
export const Tag = z
  .string()
  .normalize()
  .trim()
  .transform((tag) => tag.replaceAll(/\s+/g, ' '))
  .pipe(
    z
      .string()
      .min(1, t('Please enter a tag'))
      .max(40, t('A tag must be at most 40 characters'))
      .regex(/^[^,\p{Cc}]*$/u, t('A tag must not contain a comma')),
  )

/** Returns a schema for a list in a URL, separated by commas. */
function listOf<Item extends z.ZodType>(item: Item, max: number) {
  return z
    .preprocess(
      (value: z.input<Item>[] | string) => (typeof value === 'string' ? value.split(',').filter(Boolean) : value),
      z.array(item).max(max),
    )
    .default([])
}

const Seconds = z.coerce.number().min(0).max(10_000_000)

/** Selects the recordings that meet every condition. Empty lists and missing fields impose no condition. */
export const LibraryFilter = z.object({
  /** Part of the name, case-insensitive. */
  search: z.string().trim().max(200).default(''),
  /** The recording is in one of these states. */
  states: listOf(RecordingState, recordingStates.length),
  /** One of these languages is spoken. */
  languages: listOf(z.string().regex(/^[a-z]{2,3}$/), 100),
  /** A keyword of one of these categories was found. */
  categories: listOf(KeywordCategory, keywordCategories.length),
  /** The recording has all of these tags. */
  tags: listOf(Tag, 20),
  /** The recording belongs to this case. */
  case: Id.optional(),
  /** Uploaded at this time or later. */
  from: Moment.optional(),
  /** Uploaded before this time. */
  to: Moment.optional(),
  /** Seconds. */
  min_duration: Seconds.optional(),
  max_duration: Seconds.optional(),
})
export type LibraryFilter = z.infer<typeof LibraryFilter>

/** Several recordings: by their ids, or all that match a filter except some. Ids of other users' recordings are ignored. */
export const LibrarySelection = z.union([
  z.object({ ids: z.array(Id).min(1).max(maxSelected) }),
  z.object({ filter: LibraryFilter, except: z.array(Id).max(maxSelected).default([]) }),
])
export type LibrarySelection = z.infer<typeof LibrarySelection>

/** A deleted recording that can still be restored. `duration` in seconds, `size` in bytes. */
export const TrashedRecording = z.object({
  id: Id,
  name: z.string(),
  duration: z.number(),
  size: z.int(),
  created_at: Moment,
  removed_at: Moment,
  restorable_until: Moment,
})
export type TrashedRecording = z.infer<typeof TrashedRecording>

const Count = z.int().nonnegative()

/** The number of keywords found per category; a word and its translation count once. */
export const HitCounts = z.object({ threats: Count, sentiment: Count, intent: Count, custom: Count })
export type HitCounts = z.infer<typeof HitCounts>

export const LibraryRecording = Recording.extend({
  tags: z.array(z.string()),
  hits: HitCounts,
  state: RecordingState,
  progress: ReviewProgress,
})
export type LibraryRecording = z.infer<typeof LibraryRecording>

/** `heard`: the share of lines that the owner heard; `verified`: the share of lines verified by anyone. */
export const librarySortFields = ['created', 'name', 'duration', 'state', 'hits', 'heard', 'verified'] as const

/** The order of a list of recordings. */
export const LibraryOrder = z.object({
  sort: z.enum(librarySortFields).default('created'),
  order: z.enum(['asc', 'desc']).default('desc'),
})
export type LibraryOrder = z.infer<typeof LibraryOrder>

/** A filter and an order that a user has saved under a name. */
export const SavedFilter = z.object({ id: Id, name: z.string(), filter: LibraryFilter, ...LibraryOrder.shape })
export type SavedFilter = z.infer<typeof SavedFilter>

/** The maximum number of saved filters per user. */
export const maxSavedFilters = 50
