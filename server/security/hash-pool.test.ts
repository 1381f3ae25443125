import { expect, onTestFinished, test } from 'vitest'
import { createHashPool } from './hash-pool.ts'

const task = { kind: 'hash', text: 'Silver-moon7', cost: 4 } as const

test('a thread that cannot start fails its task, and neither the process nor the next task waits for it', async () => {
  const pool = createHashPool({ threads: 1, worker: './no-such-worker.ts' })
  onTestFinished(() => pool.close())
  await expect(pool.run(task)).rejects.toMatchObject({ code: 'unavailable' })
  await expect(pool.run(task)).rejects.toMatchObject({ code: 'unavailable' })
})

test('hashes', async () => {
  const pool = createHashPool({ threads: 1 })
  onTestFinished(() => pool.close())
  expect(await pool.run(task)).toMatch(/^\$2[aby]\$04\$/)
})
