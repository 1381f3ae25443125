import { expect, test } from 'vitest'
import { run } from './transcribe.ts'

test('an output that cannot be written is refused before the work starts', async () => {
  const out = '/no-such-folder/call.txt'
  await expect(run(['no-such-recording.wav', '--out', out])).rejects.toThrow(`${out} could not be written.`)
})
