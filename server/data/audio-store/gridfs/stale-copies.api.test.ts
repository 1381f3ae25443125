import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '#testing/database.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { newId } from '../../ids.ts'
import { ensureIndexes } from '../../indexes.ts'
import type { AudioFile } from '../audio-store.ts'
import { openGridFsStore, removeStaleCopies } from './gridfs-store.ts'
import { openLocalCopies } from './local-copies.ts'

test('a copy of what another host deleted is removed, and the others stay', async () => {
  const { connection, drop } = await createTestDatabase()
  onTestFinished(drop)
  await ensureIndexes(connection)
  const limits = { maxCopyBytes: 1_000_000 }
  const copiesDir = join(await temporaryFolder(), 'copies')
  const here = await openGridFsStore({ connection, copiesDir, ...limits })
  const there = await openGridFsStore({ connection, copiesDir: await temporaryFolder(), ...limits })
  const deleted: AudioFile = { id: newId(), extension: 'wav' }
  const kept: AudioFile = { id: newId(), extension: 'wav' }
  for (const file of [deleted, kept]) {
    await (await there.receive(Readable.from([Buffer.from('sound')]), { ...file, maxBytes: 5 })).keep()
    const { path, release } = await here.open(file)
    expect(await readFile(path, 'utf8')).toBe('sound')
    await release()
  }
  await there.remove(deleted)
  const copies = openLocalCopies(copiesDir, limits.maxCopyBytes)
  expect(await copies.list()).toHaveLength(2)
  await removeStaleCopies(connection, copies)
  expect(await copies.list()).toEqual([kept])
})
