import { Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Hold } from '#contract/holds.ts'
import { t } from '#contract/texts/t.ts'
import { messageOf } from '../../shared/api/api-error.ts'
import { rich } from '../../shared/texts/rich.tsx'
import { Isolated } from '../../shared/ui/isolated.tsx'
import { ErrorNotice, LoadingNotice } from '../../shared/ui/notice.tsx'
import { HoldFacts } from './hold-facts.tsx'
import { HoldForm } from './hold-form.tsx'
import { KeptStatesLink } from './kept-states-link.tsx'
import classes from './hold-dialog.module.css'
import { useRecordingHolds, type HoldSubject } from './use-holds.ts'

interface HoldDialogProps {
  /** Null while the dialog is closed. */
  subject: HoldSubject | null
  /** The holds where they are known; those of a recording are loaded otherwise. */
  known?: { holds: Hold[]; canHold: boolean } | undefined
  onClose: () => void
}

/** Shows what holds a recording or a case, and sets or lifts its own hold. */
export function HoldDialog({ subject, known, onClose }: HoldDialogProps) {
  return (
    <Modal opened={subject !== null} onClose={onClose} title={t('Legal hold')}>
      {subject && known && <HoldContent subject={subject} {...known} onClose={onClose} />}
      {subject && !known && <LoadedHold subject={subject} onClose={onClose} />}
    </Modal>
  )
}

function LoadedHold({ subject, onClose }: { subject: HoldSubject; onClose: () => void }) {
  const { data, error, refetch } = useRecordingHolds(subject.id)
  if (data) return <HoldContent subject={subject} holds={data.holds} canHold={data.can_hold} onClose={onClose} />
  if (!error) return <LoadingNotice label={t('Loading the holds')} />
  return <ErrorNotice message={messageOf(error, t('The holds could not be loaded.'))} onRetry={() => void refetch()} />
}

interface HoldContentProps {
  subject: HoldSubject
  holds: Hold[]
  canHold: boolean
  onClose: () => void
}

function HoldContent({ subject, holds, canHold, onClose }: HoldContentProps) {
  const own = holds.find(({ of }) => of === subject.of)
  return (
    <div className={classes.content}>
      <p className={classes.lead}>{describe(subject, holds)}</p>
      {holds.map((hold) => (
        <HoldFacts key={`${hold.of} ${hold.set_at}`} hold={hold} />
      ))}
      {holds.length > 0 && subject.name !== '' && <KeptStatesLink subject={subject} />}
      {!own && canHold && <HoldForm subject={subject} isSet onClose={onClose} />}
      {own?.can_lift && <HoldForm subject={subject} isSet={false} onClose={onClose} />}
    </div>
  )
}

function describe({ of, name }: HoldSubject, holds: Hold[]): ReactNode {
  const values = { name: name === '' ? '' : <Isolated className={classes.name}>{name}</Isolated> }
  if (of === 'case') {
    return holds.length > 0
      ? rich(
          '{name} is on legal hold. Nothing of the case and of its recordings, those added later included, can be deleted, by anybody, until the hold is lifted.',
          values,
        )
      : rich(
          '{name} is not on hold. On hold, nothing of the case and of its recordings, those added later included, can be deleted, by anybody, until the hold is lifted.',
          values,
        )
  }
  return holds.length > 0
    ? rich(
        '{name} is on legal hold. Nothing of the recording can be deleted, by anybody, until the hold is lifted.',
        values,
      )
    : rich(
        '{name} is not on hold. On hold, nothing of the recording can be deleted, by anybody, until the hold is lifted.',
        values,
      )
}
