import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { maxChannels } from '../audio-channels.ts'
import { HeardChannels, maxSpansPerRequest, HeardSpan } from '../heard.ts'
import { DoubtReason, LineMark, MarkedLine, maxMarksPerRecording } from '../line-marks.ts'
import { IdParams } from '../scalars.ts'

const maxLinesPerRequest = 1_000

/** Which parts of a recording people have heard, verified or doubted. */
export const review = {
  getHeard: endpoint({
    method: 'GET',
    path: '/api/recordings/:id/heard',
    access: 'user',
    summary: 'What the caller has heard of a recording: spans in milliseconds, one list a channel',
    params: IdParams,
    response: z.object({ channels: HeardChannels }),
    errors: ['not_found'],
  }),
  addHeard: endpoint({
    method: 'POST',
    path: '/api/recordings/:id/heard',
    access: 'user',
    summary: `Add spans that the caller has heard; at most ${maxSpansPerRequest.toLocaleString('en')} a channel. Repeating a request changes nothing`,
    params: IdParams,
    body: z.object({ channels: z.array(z.array(HeardSpan).max(maxSpansPerRequest)).min(1).max(maxChannels) }),
    response: z.object({ channels: HeardChannels }),
    errors: ['not_found'],
  }),
  listMarks: endpoint({
    method: 'GET',
    path: '/api/recordings/:id/line-marks',
    access: 'user',
    summary:
      'What people verified and doubted of a recording: passages with their words, which hold for every version that has them',
    params: IdParams,
    response: z.object({ marks: z.array(LineMark) }),
    errors: ['not_found'],
  }),
  markLines: endpoint({
    method: 'PUT',
    path: '/api/recordings/:id/line-marks',
    access: 'user',
    summary:
      'Verify lines or take it back (`is_verified`), or set their doubt (`doubt`, null for what the model says). People take back only ' +
      'their own verification. `marks` are those of these lines afterwards',
    params: IdParams,
    body: z.object({
      lines: z.array(MarkedLine).min(1).max(maxLinesPerRequest),
      is_verified: z.boolean().optional(),
      doubt: z
        .object({ is_uncertain: z.boolean(), reason: DoubtReason.default('') })
        .nullable()
        .optional(),
    }),
    response: z.object({ marks: z.array(LineMark) }),
    limit: { max: maxMarksPerRecording, error: 'conflict' },
    errors: ['not_found', 'forbidden', 'conflict', 'on_hold'],
  }),
}
