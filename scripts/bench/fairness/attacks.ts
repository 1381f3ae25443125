import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import { JobAccepted } from '#contract/entities/job.ts'
import { findFfmpeg } from '#engine/audio/ffmpeg.ts'
import { countCut, openSilentStream, sendSlowBody, sendSlowUpload } from '../../chaos/faults/bad-clients.ts'
import { untilAborted, countStatuses, postFrom, type Attack } from './attack.ts'

const Uploaded = z.object({ file_id: z.string() })
const respondAsync = { Prefer: 'respond-async' }

const idleReaders: Attack = {
  name: '100 idle readers with a 26,000-line job',
  async run({ url, attacker, phase }, signal) {
    // The text differs in each phase; otherwise the second would be answered with the result of the first.
    const text = Array.from({ length: 26_000 }, (_, line) => `hello my brother ${phase}-${line}`).join('\n')
    const sockets = Array.from({ length: 100 }, (_, index) => openSilentStream(url, index, attacker.token()))
    const body = { text, source_language: 'en', target_language: 'ps' }
    const answer = await attacker.call('POST', '/api/translate', { body, headers: respondAsync })
    await untilAborted(signal)
    const cut = await countCut(sockets)
    for (const socket of sockets) socket.destroy()
    const job = JobAccepted.safeParse(answer.body)
    if (job.success) await attacker.call('DELETE', `/api/jobs/${job.data.job_id}`)
    return `the job was answered with ${answer.status}; ${cut} of 100 streams were cut`
  },
}

const slowBodies: Attack = {
  name: '1,000 slow bodies',
  async run({ url, attacker }, signal) {
    const openOne = (index: number) =>
      index % 20 === 0 ? sendSlowUpload(url, index, attacker.token()) : sendSlowBody(url, index)
    const sockets: Socket[] = Array.from({ length: 1000 }, (_, index) => openOne(index))
    let cut = 0
    for (let second = 1; !signal.aborted; second += 1) {
      await wait(1000)
      for (const [index, socket] of sockets.entries()) {
        if (socket.destroyed) {
          cut += 1
          sockets[index] = openOne(index)
        } else if (second % 5 === 0) socket.write(' ')
      }
    }
    for (const socket of sockets) socket.destroy()
    return `${cut} were cut and came again`
  },
}

const signIns: Attack = {
  name: '300 sign-ins of three addresses',
  async run({ url, phase }, signal) {
    const statuses = await Promise.all(
      Array.from({ length: 300 }, (_, index) =>
        postFrom(`127.0.2.${1 + phase * 3 + (index % 3)}`, url, {
          path: '/api/auth/signin',
          body: { email: `nobody${phase}-${index}@example.org`, password: 'Wrong-moon7!' },
          signal,
        }),
      ),
    )
    return countStatuses(statuses)
  },
}

const twoFactorSetUps: Attack = {
  name: '150 two-factor set-ups of one user',
  async run({ url, attacker, password }, signal) {
    const statuses = await Promise.all(
      Array.from({ length: 150 }, () =>
        postFrom('127.0.3.1', url, {
          path: '/api/auth/2fa/enable',
          body: { current_password: password },
          token: attacker.token(),
          signal,
        }),
      ),
    )
    return countStatuses(statuses)
  },
}

const flacFile = join(tmpdir(), 'awaz-8-hours.flac')

const longFlac: Attack = {
  name: 'FLAC of 8 hours',
  diskBytes: 1024 ** 3,
  async prepare() {
    if (existsSync(flacFile)) return
    const silence = '-f lavfi -i anullsrc=r=16000:cl=mono -t 28790 -c:a flac -y'.split(' ')
    const { status, stderr } = spawnSync((await findFfmpeg()).path, ['-v', 'error', ...silence, flacFile], {
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(`ffmpeg could not make the file: ${stderr}`)
  },
  async run({ attacker }, signal) {
    const content = new Uint8Array(await readFile(flacFile))
    const sendOne = async () => {
      const form = new FormData()
      form.append('audio', new Blob([content]), 'silence.flac')
      const uploaded = await attacker.call('POST', '/api/upload', { form, timeoutMs: 120_000 })
      const file = Uploaded.safeParse(uploaded.body)
      if (!file.success) return uploaded.status
      const body = { file_id: file.data.file_id, language: 'en' }
      await attacker.call('POST', '/api/transcribe', { body, headers: respondAsync })
      await untilAborted(signal)
      await attacker.call('DELETE', `/api/recordings/${file.data.file_id}`)
      return uploaded.status
    }
    const statuses = await Promise.all([sendOne(), sendOne(), sendOne()])
    return `uploads: ${countStatuses(statuses)}`
  },
}

export const attacks: Attack[] = [idleReaders, slowBodies, signIns, twoFactorSetUps, longFlac]
