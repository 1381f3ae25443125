import { join } from 'node:path'
import { rm, writeFile } from 'node:fs/promises'
import { recordHeartbeat } from '#data/engines/engines.ts'
import { version } from '#data/version.ts'
import { writeLocalCatalog } from '#engine/models/store/testing/models-folder.ts'
import { makeHeartbeat, makeJob, takeJob } from '#testing/jobs.ts'
import { changeDocument, type Fault, type PlantedFault } from '../fault.ts'
import type { DoctorInstance } from '../instance.ts'

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000)

/** Registers a second engine. */
async function addEngine({ server, collection }: DoctorInstance, status: Parameters<typeof makeHeartbeat>[1]) {
  const { connection } = server.services.database
  await recordHeartbeat(connection, 'second', makeHeartbeat({}, { version, ...status }))
  return { undo: () => collection('engines').deleteMany({}) }
}

/** Queues a job and changes its document. */
async function addJob(
  { server, collection }: DoctorInstance,
  { set, isTaken = false }: { set: Record<string, unknown>; isTaken?: boolean },
): Promise<PlantedFault> {
  const { queue } = server.services.work
  await makeJob(queue)
  if (isTaken) await takeJob(queue)
  await collection('jobs').updateMany({}, { $set: set })
  return { undo: () => collection('jobs').deleteMany({}) }
}

async function writeModelsFile({ config }: DoctorInstance, name: string, content: string): Promise<PlantedFault> {
  const path = join(config.modelsDir, name)
  await writeFile(path, content)
  return { undo: () => rm(path) }
}

export const workFaults: Fault[] = [
  {
    code: 'engines.none',
    name: 'no engine beside a running server',
    async plant({ collection }) {
      await collection('engines').deleteMany({})
      return { hasEngine: false }
    },
  },
  {
    code: 'engines.silent',
    name: 'an engine that was killed',
    async plant(instance) {
      const planted = await addEngine(instance, {})
      await changeDocument(instance, 'engines', { filter: { _id: 'second' }, set: { beatAt: hoursAgo(1) } })
      return planted
    },
  },
  {
    code: 'engines.unable',
    name: 'an engine that cannot read the recordings',
    plant: (instance) => addEngine(instance, { problem: 'The recordings cannot be read (EACCES).' }),
  },
  {
    code: 'engines.version',
    name: 'an engine of an earlier version',
    plant: (instance) => addEngine(instance, { version: '0.0.1' }),
  },
  {
    code: 'servers.unreachable',
    name: 'a transcription server that is down',
    plant: (instance) =>
      addEngine(instance, {
        speech_servers: [
          {
            address: 'http://127.0.0.1:9',
            models: [],
            is_reachable: false,
            in_flight: 0,
            completed: 0,
            failed: 1,
            real_time_factor: null,
            tokens_per_second: null,
            last_error: null,
            retry_at: null,
          },
        ],
      }),
  },
  {
    code: 'jobs.waiting',
    name: 'a job that has waited for hours',
    plant: (instance) => addJob(instance, { set: { createdAt: hoursAgo(3) } }),
  },
  {
    code: 'jobs.abandoned',
    name: 'a job whose engine is gone',
    plant: (instance) => addJob(instance, { isTaken: true, set: { leaseUntil: hoursAgo(1) } }),
  },
  {
    code: 'jobs.failing',
    name: 'a day on which every job failed',
    async plant(instance) {
      const { queue } = instance.server.services.work
      for (let n = 0; n < 5; n++) await makeJob(queue)
      return addJob(instance, { set: { state: 'failed', finishedAt: new Date() } })
    },
  },
  {
    code: 'models.unusable',
    name: 'a chosen model that is not there',
    plant: () => ({ config: { speechModel: 'no-such-model' } }),
  },
  {
    code: 'models.unusable',
    name: 'choices of models that cannot be read',
    plant: (instance) => writeModelsFile(instance, 'choices.json', '{"speech":'),
  },
  {
    code: 'models.damaged',
    name: 'a web page in place of an installed model',
    async plant(instance) {
      const { modelsDir } = instance.config
      await writeLocalCatalog(modelsDir, {})
      const model = await writeModelsFile(instance, 'ours.bin', '<!DOCTYPE html><title>404</title>')
      const undo = () => Promise.all([model.undo?.(), rm(join(modelsDir, 'catalog.local.json'))])
      return { isThorough: true, undo }
    },
  },
  {
    code: 'models.catalog',
    name: 'a catalogue that cannot be read',
    plant: (instance) => writeModelsFile(instance, 'catalog.local.json', '{"models":'),
  },
]
