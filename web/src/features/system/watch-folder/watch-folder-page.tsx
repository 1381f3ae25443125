import { Alert, Code, Text, Title } from '@mantine/core'
import IconFolderDown from '@tabler/icons-react/dist/esm/icons/IconFolderDown.mjs'
import { useQuery } from '@tanstack/react-query'
import type { Response } from '#contract/endpoint.ts'
import { watchFolder } from '#contract/endpoints/watch-folder.ts'
import { t } from '#contract/texts/t.ts'
import { formatAgo } from '../../../shared/format.ts'
import { rich } from '../../../shared/texts/rich.tsx'
import { Notice } from '../../../shared/ui/notice.tsx'
import { ConsolePage } from '../../admin/console-page.tsx'
import { PolledContent } from '../polled-content.tsx'
import classes from '../system.module.css'
import { call } from '../../../shared/api/client.ts'
import { adminKey } from '../../admin/use-admin.ts'
import { WatchFolderItem } from './watch-folder-item.tsx'
import { WatchFolderProblems } from './watch-folder-problems.tsx'
import common from '../../../shared/ui/common.module.css'
import { CardList } from '../card-list.tsx'

/** Roughly the interval at which a server scans the folder. */
const pollIntervalMs = 5_000

/** Polls what is known about the folders while the page is visible. */
function useWatchFolder() {
  return useQuery({
    queryKey: [adminKey, 'watch-folder'],
    queryFn: () => call(watchFolder.status),
    refetchInterval: pollIntervalMs,
  })
}

type Status = Response<typeof watchFolder.status>

/** A server scans every few seconds; after this long without a scan, no server is running one. */
const maxSilenceMs = 60_000

/** What is waiting in the watch folder and why, and who gets the recordings of each folder. */
export function WatchFolderPage() {
  return (
    <ConsolePage
      title={t('Watch folder')}
      lead={t(
        'Recordings that other systems write to a folder on the server: what is waiting and why, and who gets them.',
      )}
    >
      <WatchFolderContent />
    </ConsolePage>
  )
}

function WatchFolderContent() {
  return (
    <PolledContent
      query={useWatchFolder()}
      loadingText={t('Loading the watch folder')}
      failureText={t('The watch folder could not be loaded.')}
    >
      {(status) => <Folders status={status} />}
    </PolledContent>
  )
}

function Folders({ status }: { status: Status }) {
  const { folder, checked_at: checkedAt, folders, problems } = status
  if (folder === null) {
    return (
      <div className={`${common.surface} ${common.clip}`}>
        <Notice title={t('No watch folder is set')} icon={<IconFolderDown size={22} stroke={1.5} />}>
          {rich(
            'Set {setting} to a folder on the server and restart Awaz. Recordings that are put into it are then imported into the library automatically.',
            { setting: <Code>WATCH_DIR</Code> },
          )}
        </Notice>
      </div>
    )
  }
  return (
    <>
      <Text mb="lg">
        {checkedAt
          ? rich('{folder}, checked {ago}.', { folder: <Code>{folder}</Code>, ago: formatAgo(checkedAt) })
          : rich('{folder}, not checked yet.', { folder: <Code>{folder}</Code> })}
      </Text>
      {isSilent(checkedAt) && (
        <Alert color="red" mb="lg" title={t('No server is checking this folder')}>
          {t('Nothing is imported. The log of the server says why.')}
        </Alert>
      )}
      {problems.length > 0 && (
        <Alert
          color="red"
          mb="lg"
          title={status.waiting > 0 ? t('There are files in the watch folder itself') : t('Something is wrong')}
        >
          <WatchFolderProblems problems={problems} count={problems.length} />
        </Alert>
      )}
      <section className={classes.section} aria-labelledby="folders">
        <Title order={2} id="folders">
          {t('Folders')}
        </Title>
        {folders.length === 0 ? (
          <div className={`${common.surface} ${common.clip}`}>
            <Notice title={t('There are no folders yet')} icon={<IconFolderDown size={22} stroke={1.5} />}>
              {t('Create one in it, named after a user’s e-mail address or after the name or ID of a case.')}
            </Notice>
          </div>
        ) : (
          <CardList>
            {folders.map((each) => (
              <WatchFolderItem key={each.name} folder={each} />
            ))}
          </CardList>
        )}
      </section>
    </>
  )
}

function isSilent(checkedAt: string | null): boolean {
  return checkedAt !== null && Date.now() - Date.parse(checkedAt) > maxSilenceMs
}
