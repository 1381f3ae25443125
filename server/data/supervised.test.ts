import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'

const script = `
  import { once } from 'node:events'
  import { untilStopped } from ${JSON.stringify(join(import.meta.dirname, 'supervised.ts'))}
  await once(process, 'disconnect')
  console.log(await untilStopped())
`

test('a process stops whose parent exited before it listened', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  child.disconnect()
  const { stdout } = child
  expect(stdout && (await text(stdout))).toBe('disconnect\n')
})
