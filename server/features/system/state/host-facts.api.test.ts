import { expect, onTestFinished, test } from 'vitest'
import { createAuditEventRepository } from '#data/audit/audit-events.ts'
import { startTestServer } from '#testing/server.ts'
import { createHostFacts } from './host-facts.ts'

const origin = { ip: '', userAgent: '', requestId: '' }

test('backups that were made before this instance was restored from one are not its own', async () => {
  const server = await startTestServer()
  onTestFinished(() => server.close())
  const { audit, database } = server.services
  const events = createAuditEventRepository(database.connection)
  const { clock, config } = server
  const readBackups = async () =>
    (await createHostFacts({ config, connection: database.connection, events, clock })()).backups
  const record = async (action: string, outcome: 'success' | 'failure' = 'success') => {
    server.clock.advance(1000)
    await audit.record({ action, outcome }, origin)
  }
  await record('backup.create', 'failure')
  await record('backup.create')
  expect(await readBackups()).toMatchObject({ made: expect.any(Date), failed: expect.any(Date) })
  await record('backup.restore')
  expect(await readBackups()).toMatchObject({ made: undefined, failed: undefined })
  await record('backup.create')
  expect(await readBackups()).toMatchObject({ made: expect.any(Date), failed: undefined })
})
