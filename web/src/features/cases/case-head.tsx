import { ActionIcon, Box, Button, Group, Menu, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs'
import IconDoorExit from '@tabler/icons-react/dist/esm/icons/IconDoorExit.mjs'
import IconGavel from '@tabler/icons-react/dist/esm/icons/IconGavel.mjs'
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import type { CaseDetails } from '#contract/cases.ts'
import { t } from '#contract/texts/t.ts'
import { CaseMark } from '../../shared/cases/case-mark.tsx'
import { formatAgo } from '../../shared/format.ts'
import { isAdmin, useUser } from '../../shared/session/session.ts'
import { rich } from '../../shared/texts/rich.tsx'
import { Isolated } from '../../shared/ui/isolated.tsx'
import { ReviewProgress } from '../../shared/ui/review-progress.tsx'
import { useTitle } from '../../shared/use-title.ts'
import { HoldBadge } from '../holds/hold-badge.tsx'
import { HoldDialog } from '../holds/hold-dialog.tsx'
import { toastSuccess } from '../../shared/toast.tsx'
import { ConfirmDialog } from '../../shared/ui/confirm-dialog.tsx'
import { CaseDialog } from './case-dialog.tsx'
import classes from './case-head.module.css'
import { describeRole } from '../../shared/cases/describe-case.ts'
import { useCaseProgress, useEndCase } from './use-cases.ts'
import common from '../../shared/ui/common.module.css'

interface EndCaseDialogProps {
  shown: CaseDetails
  /** Null while the dialog is closed. */
  how: 'remove' | 'leave' | null
  onClose: () => void
}

/** Asks before a case is deleted or left, and names what is lost. */
function EndCaseDialog({ shown, how, onClose }: EndCaseDialogProps) {
  const navigate = useNavigate()
  const end = useEndCase(shown.id, how ?? 'remove')
  const { recording_count: recordings, member_count: members } = shown
  const name = <Isolated>{shown.name}</Isolated>
  const onSuccess = () => {
    toastSuccess(how === 'leave' ? t('You have left the case') : t('Case deleted'))
    void navigate('/cases')
  }
  const isLeaving = how === 'leave'
  return (
    <ConfirmDialog
      title={isLeaving ? t('Leave this case?') : t('Delete this case?')}
      confirmLabel={isLeaving ? t('Leave') : t('Delete case')}
      isOpen={how !== null}
      isBusy={end.isPending}
      onConfirm={() => end.mutate(undefined, { onSuccess })}
      onClose={onClose}
    >
      {isLeaving
        ? rich(
            'You no longer see the recordings of {name}, and your own are taken out of it. What you corrected stays.',
            { name },
          )
        : rich(
            '{name}, its notes and its list of {members, plural, one {# member} other {# members}} are lost. Of the recordings nothing is: {recordings, plural, one {# recording stays with its owner} other {# recordings stay with their owners}}, and the members no longer see those of others.',
            { name, members, recordings },
          )}
    </ConfirmDialog>
  )
}

/** How much of the recordings of a case has been heard and verified. */
function CaseProgress({ id }: { id: string }) {
  const { data } = useCaseProgress(id)
  if (!data || (data.heard === 0 && data.verified === 0)) return null
  return (
    <Text component="div" inherit mt={6} fz="sm">
      <ReviewProgress progress={data} hasFigures />
    </Text>
  )
}

/** A case's name, color and role, and the actions on the whole case. */
export function CaseHead({ shown }: { shown: CaseDetails }) {
  useTitle(shown.name)
  const user = useUser()
  const [isEditing, editing] = useDisclosure(false)
  const [isHoldShown, holdDialog] = useDisclosure(false)
  const [ending, setEnding] = useState<'remove' | 'leave' | null>(null)
  const { name, colour, role, owner, updated_at: updatedAt, hold } = shown
  const canManage = role === 'owner' || isAdmin(user)
  const canLeave = role === 'edit' || role === 'view'
  return (
    <Group component="header" align="flex-start" justify="space-between" wrap="nowrap" mb="md">
      <div className={classes.title}>
        <CaseMark colour={colour} />
        <Box miw={0}>
          <Title order={1} className={common.wrap}>
            <Isolated>{name}</Isolated>
          </Title>
          <Text c="dimmed" fz="sm" mt={2}>
            {describeRole(shown)}
            {role !== 'owner' && owner.name !== '' && (
              <> · {rich('of {name}', { name: <Isolated>{owner.name}</Isolated> })}</>
            )}{' '}
            · {t('changed {moment}', { moment: formatAgo(updatedAt) })}
            {shown.retention_days !== undefined && ` · ${describeRetention(shown.retention_days)}`}
          </Text>
          {hold && <HoldBadge onOpen={holdDialog.open} />}
          {role !== null && <CaseProgress id={shown.id} />}
        </Box>
      </div>
      <Group gap="xs" align="stretch" wrap="nowrap" flex="none">
        {role === 'owner' && (
          <Button variant="default" leftSection={<IconPencil size={16} stroke={1.5} />} onClick={editing.open}>
            {t('Edit')}
          </Button>
        )}
        <Menu position="bottom-end" width={220}>
          <Menu.Target>
            <ActionIcon variant="default" size={36} aria-label={t('More actions for the case')}>
              <IconDots size={18} stroke={1.5} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {canLeave && (
              <Menu.Item
                leftSection={<IconDoorExit size={16} stroke={1.5} aria-hidden />}
                onClick={() => setEnding('leave')}
              >
                {t('Leave the case')}
              </Menu.Item>
            )}
            {canManage && (
              <Menu.Item leftSection={<IconGavel size={16} stroke={1.5} aria-hidden />} onClick={holdDialog.open}>
                {t('Legal hold…')}
              </Menu.Item>
            )}
            {canManage && (
              <Menu.Item
                color="var(--mantine-color-error)"
                leftSection={<IconTrash size={16} stroke={1.5} aria-hidden />}
                onClick={() => setEnding('remove')}
              >
                {t('Delete the case')}
              </Menu.Item>
            )}
          </Menu.Dropdown>
        </Menu>
      </Group>
      <CaseDialog isOpen={isEditing} changed={shown} onClose={editing.close} />
      <HoldDialog
        subject={isHoldShown ? { ...shown, of: 'case' } : null}
        known={{ holds: hold ? [hold] : [], canHold: canManage }}
        onClose={holdDialog.close}
      />
      <EndCaseDialog shown={shown} how={ending} onClose={() => setEnding(null)} />
    </Group>
  )
}

function describeRetention(days: number): string {
  return days === 0
    ? t('kept for ever')
    : t('{days, plural, one {kept # day from the upload} other {kept # days from the upload}}', { days })
}
