import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const run = promisify(execFile)

test('the contract is loaded without writing a figure: the first number format of a process takes 13 ms', async () => {
  const script = `
    const { NumberFormat } = Intl
    let formats = 0
    Intl.NumberFormat = class extends NumberFormat {
      constructor(...options) {
        super(...options)
        formats += 1
      }
    }
    await import(${JSON.stringify(join(import.meta.dirname, 'contract/api.ts'))})
    console.log(formats)`

  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script])

  expect(stdout).toBe('0\n')
})
