import { api } from '#contract/api.ts'
import { AppError } from '#contract/app-error.ts'
import type { Config } from '#data/config.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { rebindWatchFolder } from '#data/watch-folders/watch-folders.ts'
import type { AppRouter } from '#server/http/context.ts'
import { route } from '#server/http/route.ts'
import type { Audit } from '../audit/service.ts'
import type { Users } from '../users/service.ts'
import { readWatchStatus, requireRecipient } from './status.ts'

interface WatchFolderDeps {
  config: Pick<Config, 'watchFolder'>
  users: Pick<Users, 'findByEmail'>
  audit: Audit
  work: { connection: DatabaseConnection }
}

/** Mounts the endpoints of the Watch folder page. */
export function mountWatchFolder(router: AppRouter, { config, users, audit, work }: WatchFolderDeps): void {
  const { connection } = work

  route(router, api.watchFolder.status, async () => readWatchStatus(connection, config.watchFolder?.folder))

  route(router, api.watchFolder.bind, async ({ body, user, origin }) => {
    const recipient = body.recipient === null ? null : await requireRecipient({ connection, users }, body.recipient)
    if (!(await rebindWatchFolder(connection, body.folder, recipient)))
      throw new AppError('not_found', `There is no folder "${body.folder}" in the watch folder.`)
    await audit.record(
      {
        action: recipient ? 'watch_folder.bind' : 'watch_folder.unbind',
        outcome: 'success',
        actor: user,
        ...(body.recipient && { target: body.recipient }),
        details: body.folder,
      },
      origin,
    )
    return { message: recipient ? `The folder belongs to ${body.recipient} now` : 'Its name is looked up again' }
  })
}
