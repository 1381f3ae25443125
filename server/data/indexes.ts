import type { mongo } from 'mongoose'
import type { DatabaseConnection } from './connect.ts'
import { apiKeyModel } from './api-keys/api-keys.ts'
import { alertDigestModel } from './alerts/alert-digest-model.ts'
import { alertModel } from './alerts/alert-model.ts'
import { alertRunModel } from './alerts/alert-run-model.ts'
import { watchListModel } from './alerts/watch-list-model.ts'
import { auditEventModel } from './audit/audit-event-model.ts'
import { audioChunkModel, audioFileModel, audioPinModel } from './audio-store/gridfs/audio-file-model.ts'
import { batchItemModel } from './batches/batch-item-model.ts'
import { batchModel } from './batches/batch-model.ts'
import { caseModel } from './cases/case-model.ts'
import { caseRecordingModel } from './cases/case-recording-model.ts'
import { counterModel } from './counters/counters.ts'
import { knownDeviceModel } from './devices/known-devices.ts'
import { engineModel } from './engines/engine-model.ts'
import { keptStateModel } from './holds/kept-states.ts'
import { heardModel } from './heard/heard.ts'
import { checkpointModel } from './jobs/checkpoint-model.ts'
import { invitationModel } from './invitations/invitation-model.ts'
import { jobModel } from './jobs/job-model.ts'
import { progressModel } from './jobs/progress-model.ts'
import { sourceModel } from './jobs/source-model.ts'
import { keywordModel } from './keywords/keywords.ts'
import { libraryEntryModel } from './library/library-entry-model.ts'
import { libraryOwnerModel } from './library/library-owner-model.ts'
import { reportTemplateModel } from './report-templates/report-templates.ts'
import { savedFilterModel } from './library/saved-filter-model.ts'
import { lineEditsModel } from './line-edits/line-edits.ts'
import { lineMarksModel } from './line-marks/line-marks.ts'
import { lockoutModel } from './lockouts/lockouts.ts'
import { logLevelModel } from './log/log-level-model.ts'
import { modelListModel } from './models/model-list-model.ts'
import { migrationModel } from './migrations/migration-records.ts'
import { modelOperationModel } from './models/model-operation-model.ts'
import { noteModel } from './notes/notes.ts'
import { outboxMailModel } from './outbox/outbox-mails.ts'
import { passkeyChallengeModel } from './passkeys/passkey-challenges.ts'
import { passkeyModel } from './passkeys/passkeys.ts'
import { passwordResetModel } from './proofs/password-resets.ts'
import { verificationModel } from './proofs/verifications.ts'
import { recordingModel } from './recordings/recording-model.ts'
import { reservationModel } from './recordings/quota.ts'
import { reviewedHitsModel } from './reviewed-hits/reviewed-hits.ts'
import { waveformModel } from './recordings/waveforms.ts'
import { searchBlockModel } from './search/search-block-model.ts'
import { searchEntryModel } from './search/search-entry-model.ts'
import { searchIndexModel } from './search/search-index-model.ts'
import { searchLinesModel } from './search/search-lines-model.ts'
import { refreshTokenModel } from './sessions/refresh-tokens.ts'
import { identityModel } from './identities/identities.ts'
import { sessionModel } from './sessions/session-model.ts'
import { signInSettingsModel } from './sign-in-settings/sign-in-settings.ts'
import { rateModel } from './system/rates.ts'
import { signInProviderModel } from './sign-in-providers/sign-in-providers.ts'
import { ssoTicketModel } from './sso-tickets/sso-tickets.ts'
import { systemFactModel } from './system/system-fact-model.ts'
import { uploadModel } from './uploads/upload-model.ts'
import { userModel } from './users/user-model.ts'
import { watchFolderModel } from './watch-folders/watch-folders.ts'
import { deliveryModel } from './webhooks/delivery-model.ts'
import { webhookModel } from './webhooks/webhook-model.ts'
import { workHourModel } from './work-hours/work-hours.ts'
import { wordListModel } from './word-lists/word-lists.ts'

/** The models of all collections that have one. */
export const models = [
  alertDigestModel,
  alertModel,
  alertRunModel,
  watchListModel,
  apiKeyModel,
  auditEventModel,
  batchModel,
  batchItemModel,
  caseModel,
  caseRecordingModel,
  counterModel,
  knownDeviceModel,
  engineModel,
  checkpointModel,
  jobModel,
  keptStateModel,
  progressModel,
  sourceModel,
  keywordModel,
  libraryEntryModel,
  libraryOwnerModel,
  heardModel,
  lineEditsModel,
  lineMarksModel,
  lockoutModel,
  logLevelModel,
  migrationModel,
  modelListModel,
  modelOperationModel,
  noteModel,
  outboxMailModel,
  passkeyModel,
  passkeyChallengeModel,
  passwordResetModel,
  verificationModel,
  recordingModel,
  reportTemplateModel,
  reservationModel,
  waveformModel,
  reviewedHitsModel,
  refreshTokenModel,
  savedFilterModel,
  searchBlockModel,
  searchEntryModel,
  searchIndexModel,
  searchLinesModel,
  sessionModel,
  identityModel,
  invitationModel,
  signInProviderModel,
  ssoTicketModel,
  signInSettingsModel,
  audioFileModel,
  audioChunkModel,
  audioPinModel,
  rateModel,
  systemFactModel,
  uploadModel,
  userModel,
  watchFolderModel,
  deliveryModel,
  webhookModel,
  wordListModel,
  workHourModel,
]

/** Creates the indexes of every collection. Safe to repeat and to run on several hosts at once. */
export async function ensureIndexes(connection: DatabaseConnection): Promise<void> {
  await dropOldIndexes(connection)
  for (const modelOn of models) {
    const { schema, collection } = modelOn(connection)
    const indexes = schema.indexes().map(([key, options]) => ({ ...options, key }))
    // One command for all: a model's createIndexes sends one per index.
    if (indexes.length > 0) await collection.createIndexes(indexes as mongo.IndexDescription[]) // what mongoose itself sends
  }
}

/** Drops the index with which earlier versions expired recordings: it would expire some that can still be restored. */
async function dropOldIndexes(connection: DatabaseConnection): Promise<void> {
  const recordings = recordingModel(connection).collection
  const indexes = await recordings.indexes().catch(() => [])
  if (!indexes.some(({ name }) => name === 'deletedAt_1')) return
  // Another server may have dropped it first.
  await recordings.dropIndex('deletedAt_1').catch(() => undefined)
}
