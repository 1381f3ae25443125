import { Alert, Badge, Button, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { WatchedFolder } from '#contract/endpoints/watch-folder.ts'
import { formatAgo, formatDate } from '../../../shared/format.ts'
import { isSuperAdmin, useUser } from '../../../shared/session/session.ts'
import { LabelledValue } from '../engine-item.tsx'
import classes from '../system.module.css'
import { BindFolderDialog } from './bind-folder-dialog.tsx'
import { WatchFolderProblems } from './watch-folder-problems.tsx'

/** One folder: whose recordings its files become, how many wait, and why. */
export function WatchFolderItem({ folder }: { folder: WatchedFolder }) {
  const { name, problems, problem_count: problemCount, waiting } = folder
  const canBind = isSuperAdmin(useUser())
  const [isOpen, dialog] = useDisclosure(false)
  return (
    <li className={classes.item}>
      <div className={classes.itemHead}>
        <Title order={3} size="md">
          <bdi>{name}</bdi>
        </Title>
        <StateBadge folder={folder} />
      </div>
      {problems.length > 0 && (
        <Alert color="red" title={describeEffect(folder)}>
          <WatchFolderProblems problems={problems} count={problemCount} />
        </Alert>
      )}
      <dl className={classes.facts}>
        <LabelledValue name="Belongs to">
          <bdi>{describeRecipient(folder)}</bdi>
        </LabelledValue>
        <LabelledValue name="Since">{folder.bound_at ? formatDate(folder.bound_at) : 'not yet'}</LabelledValue>
        <LabelledValue name="Waiting">{waiting === 1 ? '1 file' : `${waiting} files`}</LabelledValue>
        <LabelledValue name="Last taken in">
          {folder.last_taken_at ? formatAgo(folder.last_taken_at) : 'nothing yet'}
        </LabelledValue>
      </dl>
      {canBind && (
        <div>
          <Button variant="default" size="xs" aria-label={`Change whose it is: ${name}`} onClick={dialog.open}>
            Change whose it is
          </Button>
          <BindFolderDialog folder={folder} isOpen={isOpen} onClose={dialog.close} />
        </div>
      )}
    </li>
  )
}

function StateBadge({ folder: { recipient, problems, waiting, is_present: isPresent } }: { folder: WatchedFolder }) {
  if (!isPresent) return <Badge color="gray">Not there</Badge>
  if (!recipient) return <Badge color="red">Belongs to nobody</Badge>
  if (problems.length > 0) return <Badge color="red">Problem</Badge>
  return waiting > 0 ? <Badge>Taking in</Badge> : <Badge color="gray">Nothing waits</Badge>
}

function describeEffect({ recipient, problem_count: count }: WatchedFolder): string {
  if (!recipient) return 'Nothing is taken in'
  return count === 1 ? 'Something waits for you' : `${count} things wait for you`
}

/** Returns whose recordings the files become, by what user and case are called now. */
function describeRecipient({ recipient }: WatchedFolder): string {
  if (!recipient) return 'nobody'
  const { kind, name, owner } = recipient
  if (name === null) return kind === 'user' ? 'an account that was deleted' : 'a case that was deleted'
  return kind === 'user' ? name : `the case “${name}” of ${owner ?? 'an account that was deleted'}`
}
