import { cp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { api } from '#contract/api.ts'
import { AppError } from '#contract/app-error.ts'
import { createAuditEventRepository } from '#data/audit/audit-events.ts'
import { incrementCounters } from '#data/counters/counters.ts'
import { recordHeartbeat } from '#data/engines/engines.ts'
import { version } from '#data/version.ts'
import { failAttempt } from '#data/jobs/lease.ts'
import { demoSpeechPath, writeLocalCatalog } from '#engine/models/store/testing/models-folder.ts'
import { makeHeartbeat, makeJob, takeJob } from '#testing/jobs.ts'
import { makeWorkedOn, markedLine } from '#testing/recording-with-work.ts'
import { storeDocument } from '#testing/recordings.ts'
import type { DoctorInstance } from '../../doctor/testing/instance.ts'

/** Words, names and addresses planted throughout an instance, by their place. */
export const planted = {
  email: 'zarghuna.wardak@ministry-of-lanterns.example',
  username: 'zarghuna_wardak',
  caseName: 'Operation Kabul Lantern',
  caseNotes: 'Meets the courier at the old bridge',
  recordingName: 'intercept Brishna and Farhad.wav',
  keyword: 'pomegranates',
  watchList: 'Couriers of the bridge',
  watchWord: 'Farhad Stanekzai',
  webhookHost: 'hooks.ministry-of-lanterns.example',
  providerName: 'Lantern Directory',
  providerUrl: 'ldaps://127.0.0.1:9',
  providerDomain: 'couriers-of-lanterns.example',
  auditAddress: '203.0.113.77',
  auditAddress6: '2001:db8:77::1234',
  auditDetails: 'exported the Brishna file',
  failedFile: 'Brishna second call.mp3',
  failedDetail: '/home/zarghuna/calls/Brishna second call.mp3',
  engineHost: 'lantern-gpu-01.intra',
  engineProblem: 'The folder /mnt/lantern-calls cannot be read.',
  serverAddress: 'http://10.77.12.5:8000',
  serverModel: 'lantern-whisper-of-zarghuna',
  serverError: 'refused by gpu.ministry-of-lanterns.example',
  modelId: 'brishna-voice-model',
  modelName: 'Model trained on Brishna',
  modelNote: 'from the calls of Zarghuna',
} as const

/** Texts that recording-with-work.ts adds to a recording. */
const madeByWork = [markedLine.text, 'hello my brother', 'Bridge', 'first notes', 'a note', 'Khyber', 'Nadia']

/** Settings full of secrets, addresses, paths and free text. Neither the values nor the listed parts may be in an archive. */
export const plantedSettings: Record<string, { value: string; parts?: string[] }> = {
  PUBLIC_URL: { value: 'http://awaz.ministry-of-lanterns.invalid:8080', parts: ['ministry-of-lanterns'] },
  SMTP_URL: { value: 'smtp://mailer:Courier-Pass-77@127.0.0.1:9', parts: ['mailer', 'Courier-Pass-77'] },
  MAIL_FROM: { value: 'Lantern Desk <desk@ministry-of-lanterns.example>', parts: ['Lantern Desk'] },
  ADMIN_EMAIL: { value: 'chief@ministry-of-lanterns.example' },
  METRICS_TOKEN: { value: 'lantern-metrics-token-4711' },
  BACKUP_PASSPHRASE: { value: 'correct horse battery staple' },
  REGISTRATION_DOMAINS: { value: 'ministry-of-lanterns.example,couriers.example', parts: ['couriers.example'] },
  PASSWORD_WORDS: { value: 'lanternoffice,courierhall', parts: ['lanternoffice', 'courierhall'] },
  SPEECH_MODEL: { value: planted.modelId },
  WEBHOOK_ALLOW_PRIVATE: { value: 'hooks.lantern-intra,10.77.0.0/16', parts: ['hooks.lantern-intra'] },
  MODELS_MIRROR: { value: 'https://mirror.ministry-of-lanterns.example' },
  TRANSLATION_SERVER_KEY: { value: 'lantern-key-0815-secret' },
  HOST: { value: '127.0.0.1' },
  WATCH_DIR: { value: '/srv/lantern-drop-folder' },
}

/** Fills an instance with planted texts, and returns all of them. */
export async function plant(instance: DoctorInstance): Promise<string[]> {
  const { server, config } = instance
  const { connection } = server.services.database
  const { owner, member } = await makeWorkedOn(server)
  const person = await server.createSignedIn({ email: planted.email, username: planted.username })
  const token = person.accessToken
  await server.call(api.cases.create, { token, body: { name: planted.caseName, notes: planted.caseNotes } })
  await server.call(api.keywords.add, { token, params: { category: 'custom' }, body: { keyword: planted.keyword } })
  await server.call(api.integrations.createWebhook, {
    token,
    body: { url: `https://${planted.webhookHost}/in`, events: ['alert.raised'] },
  })
  await server.call(api.alerts.addWatchList, { token, body: { name: planted.watchList, words: [planted.watchWord] } })
  await instance.addDirectory(planted.providerUrl, {
    name: planted.providerName,
    allowed_domains: [planted.providerDomain],
  })
  await storeDocument(connection, { ownerId: person.id, name: planted.recordingName })
  await plantAudit(instance)
  await plantFailure(instance, person.id)
  const labels = { model: planted.modelId, language: 'ps' }
  await incrementCounters(connection, [{ name: 'transcribed_seconds', labels, by: 5 }])
  await cp(demoSpeechPath, join(config.modelsDir, 'brishna.bin'))
  await writeLocalCatalog(config.modelsDir, {
    id: planted.modelId,
    name: planted.modelName,
    note: planted.modelNote,
    file: 'brishna.bin',
  })
  const given = Object.values(plantedSettings).flatMap(({ value, parts = [] }) => [value, ...parts])
  const places = [instance.dataDir, instance.backupDir, server.databaseUri]
  const people = [owner, member, person].flatMap(({ email, username, id }) => [email, username, id])
  return [...Object.values(planted), ...madeByWork, ...given, ...places, ...people]
}

/** Writes an unknown variable and a wrong value, as a user's `.env` may have. */
export async function writeWrongSettings(path: string): Promise<string[]> {
  await writeFile(path, 'LANTERN_OFFICE=zarghuna\nSMTP_URL=mail.ministry-of-lanterns.example\n')
  return ['LANTERN_OFFICE', 'zarghuna', 'ministry-of-lanterns']
}

async function plantAudit({ server }: DoctorInstance): Promise<void> {
  const events = createAuditEventRepository(server.services.database.connection)
  const event = { actor: planted.email, actorId: null, target: planted.username, requestId: 'lantern-request' }
  for (const ip of [planted.auditAddress, planted.auditAddress6]) {
    const details = planted.auditDetails
    await events.insert({ ...event, at: new Date(), action: 'auth.signin', outcome: 'denied', ip, details })
  }
}

/** Stores a job that failed for good, with an error that names files. */
async function plantFailure({ server }: DoctorInstance, ownerId: string): Promise<void> {
  const { queue } = server.services.work
  await makeJob(queue, { ownerId })
  const error = new AppError('unreadable_audio', `${planted.failedFile} cannot be read`, {
    details: [planted.failedDetail],
    help: planted.failedDetail,
  })
  await failAttempt(queue, await takeJob(queue), error, { isFinal: true })
}

/** Records that an engine is running, which is valid for 15 s. */
export async function plantEngine({ server, collection }: DoctorInstance): Promise<void> {
  const { connection } = server.services.database
  const remote = {
    address: planted.serverAddress,
    models: [planted.serverModel],
    is_reachable: false,
    in_flight: 0,
    completed: 1,
    failed: 2,
    real_time_factor: null,
    tokens_per_second: null,
    last_error: { message: planted.serverError, at: new Date().toISOString() },
    retry_at: null,
  }
  const status = {
    version,
    model: { id: planted.modelId, name: planted.modelName, kind: 'speech' as const },
    device: 'whisper.cpp 1.9.3',
    speeds: [{ model: planted.modelId, real_time_factor: 0.5, audio_seconds: 10 }],
    problem: planted.engineProblem,
    speech_servers: [remote],
    translation_servers: [remote],
  }
  await recordHeartbeat(connection, 'lantern-engine', makeHeartbeat({}, status))
  await collection('engines').updateOne({ beatAt: { $gt: new Date(0) } }, { $set: { host: planted.engineHost } })
}
