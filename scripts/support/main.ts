import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { createAuditEventRepository } from '#data/audit/audit-events.ts'
import { systemClock } from '#data/clock.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { createAudit, systemOrigin } from '#server/features/audit/service.ts'
import { withCommandName } from '../cli/command-name.ts'
import { formatTable } from '../cli/format-table.ts'
import { runInterruptible, type RunContext } from '../cli/interruptible.ts'
import { assertWritable } from '../cli/output-file.ts'
import { alreadyThere, renderFiles, writeArchive } from './archive.ts'
import { withSupportFiles } from './collect/collect.ts'

const usage = `Usage: npm run awaz -- support [--out FILE] [--json]

Writes a ZIP archive to send to whoever helps you, while Awaz runs or is stopped: versions, settings, what awaz doctor finds, metrics, numbers of
documents, models, engines, the queue, error codes of failed jobs, times of the last backup and rehearsal. No recording, word, name, address or
secret is in it: what is not a number, a time, a version or a word of Awaz itself is masked. Open it and read it before you send it.

  --out FILE   where to write it (default: awaz-support-TIME.zip in this folder); a file that exists is never overwritten
  --json       prints path, SHA-256 and files as JSON, and each check on standard error

It is an entry of the audit trail (support.create). Ends with 0 where the archive was written, 1 where it was not, 130 after Ctrl-C. Run it as the
user that Awaz runs as, with the same settings. docs/doctor.md says what each file holds.`

const options = {
  out: { type: 'string' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const

/** `awaz support`. Reads the settings itself, so that it can report an invalid one. */
export async function run(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options })
  if (values.help) {
    console.log(withCommandName(usage))
    return 0
  }
  const path = resolve(values.out ?? `awaz-support-${toStamp(new Date())}.zip`)
  if (existsSync(path)) throw alreadyThere(path)
  await assertWritable(path)
  return runInterruptible((context) => makeArchive(path, { ...context, isJson: values.json }))
}

async function makeArchive(path: string, context: RunContext & { isJson: boolean }): Promise<void> {
  const onStage = (stage: string) => (context.isJson || process.stderr.isTTY) && context.progress.begin(stage)
  await withSupportFiles(
    { env: process.env, signal: context.signal, onStage },
    async ({ files, connection, missing }) => {
      context.progress.end()
      const rendered = renderFiles(files)
      const sizes = rendered.map(({ name, content }) => ({ name, sizeBytes: Buffer.byteLength(content) }))
      const tell = (sentence: string) => context.isJson || console.log(sentence)
      tell(`The archive holds:\n${formatTable(sizes.map(({ name, sizeBytes }) => [name, `${sizeBytes} bytes`]))}`)
      const sha256 = await writeArchive(path, rendered, context.signal)
      tell(`Written to ${path}. It is a ZIP of plain texts: open it and read it before you send it.`)
      if (context.isJson) console.log(JSON.stringify({ path, sha256, files: sizes }, null, 2))
      if (missing !== undefined) console.error(missing)
      if (connection) await recordArchive(connection, sha256)
      else console.error('The audit trail has no entry for this archive.')
    },
  )
}

async function recordArchive(connection: DatabaseConnection, sha256: string): Promise<void> {
  const audit = createAudit({ events: createAuditEventRepository(connection), clock: systemClock })
  const event = { action: 'support.create', outcome: 'success' as const, actor: { email: 'command line' } }
  try {
    await audit.record({ ...event, details: `SHA-256 ${sha256}` }, systemOrigin)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    console.error(`The audit trail has no entry for this archive: ${reason}`)
  }
}

/** Formats a time as in `20261126T181500Z`. */
function toStamp(time: Date): string {
  return time.toISOString().replaceAll(/[-:]|\.\d+/g, '')
}
