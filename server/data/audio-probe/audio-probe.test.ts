import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { createUserTurns } from '#server/security/user-turns.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { openAudioProbe, probeLimits } from './audio-probe.ts'

afterEach(() => vi.unstubAllEnvs())

test('a file that costs more processor time than any of its size is refused with a sentence', async () => {
  const folder = await temporaryFolder()
  const ffmpegPath = join(folder, 'ffmpeg')
  const endless = '#!/bin/sh\n[ "$1" = -version ] && exec echo "ffmpeg version 9"\nwhile :; do :; done\n'
  await writeFile(ffmpegPath, endless)
  await chmod(ffmpegPath, 0o755)
  vi.stubEnv('FFMPEG_PATH', ffmpegPath)
  await writeFile(join(folder, 'call.wav'), 'content')
  const takeTurn = createUserTurns(probeLimits)
  const probe = openAudioProbe({ maxDurationMs: 3_600_000, baseCpuSeconds: 3, takeTurn })
  await expect(probe.measure(join(folder, 'call.wav'), { ownerId: 'a' })).rejects.toMatchObject({
    code: 'unreadable_audio',
    message: 'Reading this recording takes too much processor time.',
  })
})
