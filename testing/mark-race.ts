import { api } from '#contract/api.ts'
import { findLineMarks, saveLineMarks } from '#data/line-marks/line-marks.ts'
import type { StoredMark } from '#data/line-marks/stored-mark.ts'
import type { SignedInUser, TestServer } from './server.ts'

/** Returns a race of concurrent calls that verify lines. */
export function raceMarks({ server, user }: { server: TestServer; user: SignedInUser }, recordingId: string) {
  const owner = { ownerId: user.id, recordingId }
  const { connection } = server.services.database
  const toMark = (text: string): StoredMark => {
    return { start: 1, end: 2, text, verified: [{ by: user.id, at: 0 }], doubt: null }
  }
  return {
    async fill(count: number) {
      const { marks, revision, ...counted } = await findLineMarks(connection, owner)
      const added = Array.from({ length: count }, (_, number) => toMark(`old ${number}`))
      await saveLineMarks(connection, owner, { ...counted, revision: revision + 1, marks: [...marks, ...added] })
    },
    count: async () => (await findLineMarks(connection, owner)).marks.length,
    // Each call reads and writes twenty thousand marks.
    calls: 10,
    call: (number: number) =>
      server.call(api.review.markLines, {
        token: user.accessToken,
        params: { id: recordingId },
        body: { lines: [{ start: 1, end: 2, text: `new ${number}` }], is_verified: true },
      }),
  }
}
