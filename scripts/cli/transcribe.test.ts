import { expect, test } from 'vitest'
import { run } from './transcribe.ts'

test('an output that cannot be written is told before the work begins', async () => {
  const out = '/no-such-folder/call.txt'
  await expect(run(['no-such-recording.wav', '--out', out])).rejects.toThrow(`${out} could not be written.`)
})
