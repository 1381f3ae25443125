import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { RecordingActivity } from '../recording-activity.ts'
import { IdParams, PageInfo, Paging } from '../scalars.ts'

export const activity = {
  ofRecording: endpoint({
    method: 'GET',
    path: '/api/recordings/:id/activity',
    access: 'user',
    summary:
      'Who did what with a recording, and when, newest first: for its owner, also while it is in the trash. Opening, listening and correcting ' +
      'stand there once an hour for each session',
    params: IdParams,
    query: z.object(Paging),
    response: z.object({ entries: z.array(RecordingActivity), ...PageInfo }),
    errors: ['not_found'],
  }),
}
