import { expect, test } from 'vitest'
import { createHeavyReads } from './heavy-reads.ts'

const staying = new AbortController().signal

/** Returns a function that makes users' calls, whose turns end on demand, and records the order in which the turns began. */
function openLane({ lane = 'file' as const, isPatient = false } = {}) {
  const reads = createHeavyReads()
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const settle = () => new Promise((resolve) => setImmediate(resolve))

  function call(name: string, signal: AbortSignal = staying) {
    const [userId = ''] = name
    const read = reads.admit({ userId, lane, signal, isPatient })
    const done = read.takeTurn(() => {
      begun.push(name)
      return new Promise<void>((resolve) => ends.set(name, resolve))
    })
    done.catch(() => undefined)
    return { ...read, done }
  }

  async function end(name: string) {
    ends.get(name)?.()
    await settle()
  }

  return { begun, call, end, settle, reads }
}

test('a user with one download does not wait for the many of another', async () => {
  const { begun, call, end, settle } = openLane()
  for (let at = 0; at < 10; at += 1) call(`a${at}`)
  call('b0')
  await settle()
  expect(begun).toEqual(['a0', 'b0'])
  await end('a0')
  await end('b0')
  expect(begun).toEqual(['a0', 'b0', 'a1'])
})

test('a screen does not wait for the downloads of its own user', async () => {
  const { begun, call, settle, reads } = openLane()
  for (let at = 0; at < 5; at += 1) call(`a${at}`)
  const page = reads.admit({ userId: 'a', lane: 'page', signal: staying, isPatient: false })
  expect(await page.takeTurn(async () => 'shown')).toBe('shown')
  await settle()
  expect(begun).toEqual(['a0'])
})

test('calls count until their responses were sent: those of one user are refused with 429, those of all with 503', () => {
  const { call } = openLane()
  const own = Array.from({ length: 16 }, (_, at) => call(`a${at}`))
  expect(() => call('a')).toThrow(expect.objectContaining({ code: 'rate_limited', remainingSeconds: 5 }))
  own[0]?.release()
  own[0]?.release()
  call('a')
  expect(() => call('a')).toThrow(expect.objectContaining({ code: 'rate_limited' }))
  for (const user of 'bcdefgh') for (let at = 0; at < 16; at += 1) call(`${user}${at}`)
  expect(() => call('z')).toThrow(expect.objectContaining({ code: 'unavailable', remainingSeconds: 5 }))
})

test('a client that leaves frees its place in the queue', async () => {
  const { begun, call, end, settle } = openLane()
  call('a0')
  const leaving = new AbortController()
  const left = call('a1', leaving.signal)
  call('a2')
  await settle()
  leaving.abort(new Error('left'))
  await expect(left.done).rejects.toThrow('left')
  await end('a0')
  expect(begun).toEqual(['a0', 'a2'])
})

test('says when calls begin and when none is open any more, of both lanes together', () => {
  const said: string[] = []
  const reads = createHeavyReads({ onBusy: () => said.push('busy'), onQuiet: () => said.push('quiet') })
  const open = (lane: 'file' | 'page') => reads.admit({ userId: 'a', lane, signal: staying, isPatient: false })
  const [file, page] = [open('file'), open('page')]
  file.release()
  file.release()
  expect(said).toEqual(['busy'])
  page.release()
  open('page')
  expect(said).toEqual(['busy', 'quiet', 'busy'])
})
