import { Alert, Code, Text, Title } from '@mantine/core'
import IconFolderDown from '@tabler/icons-react/dist/esm/icons/IconFolderDown.mjs'
import type { Response } from '#contract/endpoint.ts'
import type { watchFolder } from '#contract/endpoints/watch-folder.ts'
import { formatAgo } from '../../../shared/format.ts'
import { Notice } from '../../../shared/ui/notice.tsx'
import { ConsolePage } from '../../admin/console-page.tsx'
import { PolledContent } from '../polled-content.tsx'
import classes from '../system.module.css'
import { WatchFolderItem } from './watch-folder-item.tsx'
import { WatchFolderProblems } from './watch-folder-problems.tsx'
import { useWatchFolder } from './use-watch-folder.ts'

type Status = Response<typeof watchFolder.status>

/** A server looks every few seconds; after this long none does. */
const maxSilenceMs = 60_000

/** What waits in the watch folder and why, and whose recordings the files of each folder become. */
export function WatchFolderPage() {
  return (
    <ConsolePage
      title="Watch folder"
      lead="Recordings that other systems write to a folder on the server: what waits, why, and whose they become."
    >
      <WatchFolderContent />
    </ConsolePage>
  )
}

function WatchFolderContent() {
  return (
    <PolledContent query={useWatchFolder()} what="the watch folder">
      {(status) => <Folders status={status} />}
    </PolledContent>
  )
}

function Folders({ status }: { status: Status }) {
  const { folder, checked_at: checkedAt, folders, problems } = status
  if (folder === null) {
    return (
      <div className={classes.surface}>
        <Notice title="No watch folder is set" icon={<IconFolderDown size={22} stroke={1.5} />}>
          Set <Code>WATCH_DIR</Code> to a folder on the server and start Awaz again. Recordings that are put into it
          then come into the library by themselves.
        </Notice>
      </div>
    )
  }
  return (
    <>
      <Text mb="lg">
        <Code>{folder}</Code>, {checkedAt ? `looked through ${formatAgo(checkedAt)}` : 'not looked through yet'}.
      </Text>
      {isSilent(checkedAt) && (
        <Alert color="red" mb="lg" title="No server looks at this folder">
          Nothing is taken in. The log of the server says why.
        </Alert>
      )}
      {problems.length > 0 && (
        <Alert
          color="red"
          mb="lg"
          title={status.waiting > 0 ? 'Files lie in the watch folder itself' : 'Something is wrong'}
        >
          <WatchFolderProblems problems={problems} count={problems.length} />
        </Alert>
      )}
      <section className={classes.section} aria-labelledby="folders">
        <Title order={2} id="folders">
          Folders
        </Title>
        {folders.length === 0 ? (
          <div className={classes.surface}>
            <Notice title="There are no folders yet" icon={<IconFolderDown size={22} stroke={1.5} />}>
              Make one in it that is named by a user’s e-mail address, or by the name or id of a case.
            </Notice>
          </div>
        ) : (
          <ul className={classes.items}>
            {folders.map((each) => (
              <WatchFolderItem key={each.name} folder={each} />
            ))}
          </ul>
        )}
      </section>
    </>
  )
}

function isSilent(checkedAt: string | null): boolean {
  return checkedAt !== null && Date.now() - Date.parse(checkedAt) > maxSilenceMs
}
