import { z } from 'zod'
import { clipChannels, clipFormats } from '../clip.ts'
import { endpoint } from '../endpoint.ts'
import { Job, JobWithResult, StreamEvent } from '../entities/job.ts'
import { compactSummary, CompactDetails, CompactQuery } from '../compact-details.ts'
import { Recording } from '../entities/recording.ts'
import { doubtChoices } from '../formats/lines.ts'
import { Id, IdParams, Message, PageInfo, Paging } from '../scalars.ts'
import { CategorizedPossibleHit } from '../possible-hits.ts'
import { SpeakerCorrections } from '../speaker-corrections.ts'
import { transcriptFormats } from '../transcript-formats.ts'

/** A boolean in the query string; default true. */
const Flag = z.stringbool({ truthy: ['true'], falsy: ['false'], case: 'sensitive' }).default(true)

export const recordings = {
  list: endpoint({
    method: 'GET',
    path: '/api/recordings',
    access: 'user',
    summary: "The user's recordings, newest first, searched by name",
    query: z.object({ ...Paging, search: z.string().trim().max(200).default('') }),
    response: z.object({ recordings: z.array(Recording), ...PageInfo }),
    errors: [],
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/recordings/:id',
    access: 'user',
    summary: `One recording with transcript, translations and running work${compactSummary}`,
    params: IdParams,
    query: CompactQuery,
    response: CompactDetails,
    heavy: 'whole',
    errors: ['not_found'],
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/api/recordings/:id',
    access: 'user',
    summary: 'Rename a recording',
    params: IdParams,
    body: z.object({ name: z.string().trim().min(1, 'Please enter a name').max(255) }),
    response: Recording,
    errors: ['not_found'],
  }),
  correctSpeakers: endpoint({
    method: 'PUT',
    path: '/api/recordings/:id/speakers',
    access: 'user',
    summary:
      'Replace the speaker corrections: names, merged speakers and moved lines. `version` is the `speaker_corrections_version` that ' +
      'they are based on: 409 when there is a later one. A new transcription keeps the corrections whose times match',
    params: IdParams,
    query: CompactQuery,
    body: z.object({ corrections: SpeakerCorrections, version: z.int().nonnegative() }),
    response: CompactDetails,
    heavy: 'whole',
    errors: ['not_found', 'forbidden', 'conflict'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/recordings/:id',
    access: 'user',
    summary: 'Delete a recording with its file and everything made of it; running work is cancelled',
    params: IdParams,
    response: Message,
    errors: ['not_found', 'on_hold'],
  }),
  possibleHits: endpoint({
    method: 'GET',
    path: '/api/recordings/:id/possible-hits',
    access: 'user',
    summary:
      'Keywords that may have been said where the current transcript has other words, which sound alike, in order of time. They were looked ' +
      "for with the keywords that the owner had when it was transcribed; returned are those that are also the reader's",
    params: IdParams,
    response: z.object({
      /** Null until there is a transcript. */
      transcription_id: Id.nullable(),
      /** False when no hits were searched for: the speech engine cannot, or an older version made the transcript. */
      is_searched: z.boolean(),
      hits: z.array(CategorizedPossibleHit),
    }),
    errors: ['not_found'],
  }),
  export: endpoint({
    method: 'GET',
    path: '/api/recordings/:id/export',
    access: 'user',
    summary:
      'The transcript as a file, with a translation where `target_language` names one. `doubt` is for all but json: `mark` ' +
      'inserts [?] after uncertain words and a line where speech was not understood, `only` omits the certain lines; docx underlines ' +
      'uncertain words instead. `notes` are for docx, dialogue and json, `hits` (keywords marked) for docx, `facts` (models, settings, hashes at the end) for docx, ' +
      "dialogue and txt. `template` is one of the caller's report templates: its heading, introduction and closing text are in docx, dialogue and txt",
    params: IdParams,
    query: z.object({
      format: z.enum(transcriptFormats).default('txt'),
      target_language: z
        .string()
        .regex(/^[a-z]{2}$/)
        .optional(),
      doubt: z.enum(doubtChoices).default('none'),
      notes: Flag,
      hits: Flag,
      facts: Flag,
      template: Id.optional(),
    }),
    response: z.string(),
    transport: 'file',
    heavy: 'whole',
    errors: ['not_found', 'conflict'],
  }),
  peaks: endpoint({
    method: 'GET',
    path: '/api/recordings/:id/peaks',
    access: 'user',
    summary:
      'Heights of the waveform between two times, at most 4,096 per channel, each a byte along the square root of the amplitude; ' +
      'the first request for an old recording reads its file',
    params: IdParams,
    query: z.object({
      from: z.coerce.number().min(0).max(1_000_000).default(0),
      /** Unset: the end of the recording. */
      to: z.coerce.number().min(0).max(1_000_000).optional(),
      bins: z.coerce.number().int().min(1).max(4_096).default(1_024),
    }),
    /** `channels` has one base64 string of `bins` bytes per channel, left first. */
    response: z.object({ from: z.number(), to: z.number(), bins: z.int().positive(), channels: z.array(z.string()) }),
    heavy: 'parts',
    errors: ['not_found'],
  }),
  spectrogram: endpoint({
    method: 'GET',
    path: '/api/recordings/:id/spectrogram',
    access: 'user',
    summary:
      'Levels of each frequency between two times at most 300 s apart: columns of 128 rows from 0 Hz to `max_hz`, each a byte from -96 dB ' +
      'to 0 dB of a sine at full scale. The part of the file is decoded for each request',
    params: IdParams,
    query: z.object({
      from: z.coerce.number().min(0).max(1_000_000).default(0),
      /** Unset: the end of the recording. */
      to: z.coerce.number().min(0).max(1_000_000).optional(),
      columns: z.coerce.number().int().min(1).max(2_048).default(1_024),
    }),
    /** `channels` has one base64 string of `columns` times `rows` bytes per channel, left first; each column starts at its lowest row. */
    response: z.object({
      from: z.number(),
      to: z.number(),
      columns: z.int().positive(),
      rows: z.int().positive(),
      max_hz: z.number().positive(),
      channels: z.array(z.string()),
    }),
    heavy: 'whole',
    errors: ['not_found', 'unreadable_audio'],
  }),
  clip: endpoint({
    method: 'GET',
    path: '/api/recordings/:id/clip',
    access: 'user',
    summary:
      'A part of the recording, at most 1,800 s long, as an MP3 or a 16-bit WAV file, of all channels or of one of two. The part of the file ' +
      'is decoded for each request',
    params: IdParams,
    query: z.object({
      from: z.coerce.number().min(0).max(1_000_000).default(0),
      /** Unset: the end of the recording. */
      to: z.coerce.number().min(0).max(1_000_000).optional(),
      format: z.enum(clipFormats).default('mp3'),
      /** Unset: all channels. */
      channel: z.enum(clipChannels).optional(),
    }),
    response: z.unknown(),
    transport: 'file',
    heavy: 'whole',
    errors: ['not_found', 'unreadable_audio'],
  }),
  stats: endpoint({
    method: 'GET',
    path: '/api/stats',
    access: 'user',
    summary: "The dashboard's figures (audio-workflow specification, section 3); durations in seconds",
    response: z.object({ totalFiles: z.int(), totalDuration: z.number(), languagesProcessed: z.int() }),
    errors: [],
  }),
}

export const jobs = {
  get: endpoint({
    method: 'GET',
    path: '/api/jobs/:id',
    access: 'user',
    summary: 'A job with its progress and, once done, its result',
    params: IdParams,
    response: JobWithResult,
    heavy: 'whole',
    errors: ['not_found'],
  }),
  cancel: endpoint({
    method: 'DELETE',
    path: '/api/jobs/:id',
    access: 'user',
    summary: 'Cancel a queued or running job; an ended one is returned unchanged',
    params: IdParams,
    response: Job,
    errors: ['not_found'],
  }),
  events: endpoint({
    method: 'GET',
    path: '/api/events',
    access: 'user',
    summary: "Server-sent events of all the user's jobs, beginning with a snapshot; at most 30 streams per user",
    response: StreamEvent,
    transport: 'events',
    errors: ['too_many_streams'],
  }),
}
