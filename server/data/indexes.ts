import type { DatabaseConnection } from './connect.ts'
import { auditEventModel } from './audit/audit-event-model.ts'
import { knownDeviceModel } from './devices/known-device-model.ts'
import { engineModel } from './engines/engine-model.ts'
import { checkpointModel } from './jobs/checkpoint-model.ts'
import { jobModel } from './jobs/job-model.ts'
import { progressModel } from './jobs/progress-model.ts'
import { sourceModel } from './jobs/source-model.ts'
import { keywordModel } from './keywords/keyword-model.ts'
import { lineEditsModel } from './line-edits/line-edits-model.ts'
import { lockoutModel } from './lockouts/lockout-model.ts'
import { modelListModel } from './models/model-list-model.ts'
import { modelOperationModel } from './models/model-operation-model.ts'
import { noteModel } from './notes/note-model.ts'
import { outboxMailModel } from './outbox/outbox-mail-model.ts'
import { passwordResetModel } from './proofs/password-reset-model.ts'
import { verificationModel } from './proofs/verification-model.ts'
import { recordingModel } from './recordings/recording-model.ts'
import { reservationModel } from './recordings/reservation-model.ts'
import { reviewedHitsModel } from './reviewed-hits/reviewed-hits-model.ts'
import { waveformModel } from './recordings/waveform-model.ts'
import { refreshTokenModel } from './sessions/refresh-token-model.ts'
import { sessionModel } from './sessions/session-model.ts'
import { rateModel } from './system/rate-model.ts'
import { systemFactModel } from './system/system-fact-model.ts'
import { userModel } from './users/user-model.ts'

const models = [
  auditEventModel,
  knownDeviceModel,
  engineModel,
  checkpointModel,
  jobModel,
  progressModel,
  sourceModel,
  keywordModel,
  lineEditsModel,
  lockoutModel,
  modelListModel,
  modelOperationModel,
  noteModel,
  outboxMailModel,
  passwordResetModel,
  verificationModel,
  recordingModel,
  reservationModel,
  waveformModel,
  reviewedHitsModel,
  refreshTokenModel,
  sessionModel,
  rateModel,
  systemFactModel,
  userModel,
]

/** Creates the indexes of every collection. Safe to repeat and to run on several hosts at once. */
export async function ensureIndexes(connection: DatabaseConnection): Promise<void> {
  for (const modelOn of models) await modelOn(connection).createIndexes()
}
