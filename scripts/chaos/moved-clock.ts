// Preloaded into every Node process of the product (NODE_OPTIONS=--import): shifts the time of Date by the milliseconds in the
// file AWAZ_CHAOS_CLOCK, while the process runs. Timers and the machine's own clock stay as they are.
import { readFileSync } from 'node:fs'

const file = process.env.AWAZ_CHAOS_CLOCK
const RealDate = Date
const realNow = Date.now
let offsetMs = 0

function readOffset(path: string): void {
  try {
    offsetMs = Number(readFileSync(path, 'utf8')) || 0
  } catch {
    // The file is being written; the next read succeeds.
  }
}

const now = () => realNow() + offsetMs
const MovedDate: DateConstructor = new Proxy(RealDate, {
  construct: (target, args: unknown[], newTarget) =>
    Reflect.construct(target, args.length > 0 ? args : [now()], newTarget === MovedDate ? target : newTarget) as Date,
  apply: () => new RealDate(now()).toString(),
  get: (target, name) => (name === 'now' ? now : (Reflect.get(target, name) as unknown)),
})

if (file) {
  readOffset(file)
  setInterval(() => readOffset(file), 100).unref()
  RealDate.prototype.constructor = MovedDate
  globalThis.Date = MovedDate
}
