// Runs before each test file: makes every wait long enough for a busy machine, instead of vitest's one second.
import { vi } from 'vitest'

const timeout = 15_000
const original = Symbol.for('awaz.waitFor')
type Patient = typeof vi.waitFor & { [original]?: typeof vi.waitFor }

const patient: Patient = vi.waitFor
const waitFor = patient[original] ?? vi.waitFor
vi.waitFor = Object.assign(
  ((callback, options) => {
    const given = typeof options === 'number' ? { timeout: options } : options
    return waitFor(callback, { timeout, ...given })
  }) as typeof vi.waitFor,
  { [original]: waitFor },
)
