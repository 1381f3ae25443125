import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { describe, expect, test } from 'vitest'

import { temporaryFolder } from '#testing/temporary-folder.ts'
import { findFfmpeg } from './ffmpeg.ts'

async function writeProgram(path: string, output: string): Promise<void> {
  await writeFile(path, `#!/bin/sh\necho "${output}"\n`)
  await chmod(path, 0o755)
}

describe('findFfmpeg', () => {
  test('prefers FFMPEG_PATH over the PATH', async () => {
    const folder = await temporaryFolder()
    await writeProgram(join(folder, 'chosen'), 'ffmpeg version 9.1-chosen')
    await writeProgram(join(folder, 'ffmpeg'), 'ffmpeg version 9.2-path')
    expect(await findFfmpeg({ FFMPEG_PATH: join(folder, 'chosen'), PATH: folder })).toEqual({
      path: join(folder, 'chosen'),
      version: '9.1-chosen',
      source: 'FFMPEG_PATH',
      warning: undefined,
    })
  })

  test('reads the path from the file that FFMPEG_PATH_FILE names', async () => {
    const folder = await temporaryFolder()
    await writeProgram(join(folder, 'chosen'), 'ffmpeg version 9.1')
    await writeFile(join(folder, 'path'), `${join(folder, 'chosen')}\n`)
    expect(await findFfmpeg({ FFMPEG_PATH_FILE: join(folder, 'path'), PATH: '/nowhere' })).toMatchObject({
      source: 'FFMPEG_PATH',
    })
  })

  test('falls back to the PATH with a warning when FFMPEG_PATH does not run', async () => {
    const folder = await temporaryFolder()
    await writeProgram(join(folder, 'ffmpeg'), 'ffmpeg version 9.2-path')
    const found = await findFfmpeg({ FFMPEG_PATH: join(folder, 'missing'), PATH: folder })
    expect(found).toMatchObject({ source: 'PATH', version: '9.2-path' })
    expect(found.warning).toContain(join(folder, 'missing'))
  })

  test('skips a program that is not ffmpeg', async () => {
    const folder = await temporaryFolder()
    await writeProgram(join(folder, 'other'), 'something else 1.0')
    await writeProgram(join(folder, 'ffmpeg'), 'ffmpeg version 9.2-path')
    expect(await findFfmpeg({ FFMPEG_PATH: join(folder, 'other'), PATH: folder })).toMatchObject({ source: 'PATH' })
  })

  test('falls back to an installed package, or fails with help on what to install', async () => {
    const search = findFfmpeg({ PATH: await temporaryFolder() })
    const outcome = await search.catch((error: unknown) => error)
    expect([
      expect.objectContaining({ source: 'ffmpeg-static' }),
      expect.objectContaining({ source: '@ffmpeg-installer', warning: expect.stringContaining('2018') }),
      expect.objectContaining({ code: 'unavailable', help: expect.stringContaining('FFMPEG_PATH') }),
    ]).toContainEqual(outcome)
  })
})
