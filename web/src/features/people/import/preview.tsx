import { Alert, Badge, Button, Group, Select, Table, Text } from '@mantine/core'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import { useState } from 'react'
import { defaultInvitationDays, type ImportRow } from '#contract/entities/invitation.ts'
import { Role } from '#contract/entities/user.ts'
import { t } from '#contract/texts/t.ts'
import { Isolated } from '../../../shared/ui/isolated.tsx'
import { roleNames } from '../../admin/role-names.ts'
import { dayChoices, nameOf } from '../describe-invitation.ts'
import classes from '../people.module.css'
import common from '../../../shared/ui/common.module.css'

/** The maximum number of rows shown; a table of thousands would be slow, and unlikely to be read. Bad rows come first. */
const maxRows = 300

interface PreviewProps {
  name: string
  preview: { rows: ImportRow[]; good: number; bad: number }
  isBusy: boolean
  /** Receives the number of days for which the links work. */
  onImport: (days: number) => void
  onBack: () => void
  onClose: () => void
}

/** Shows what a list contains and what is wrong with it. It is imported as a whole or not at all. */
export function Preview({ name, preview, isBusy, onImport, onBack, onClose }: PreviewProps) {
  const { rows, good, bad } = preview
  const [days, setDays] = useState(String(defaultInvitationDays))
  const sorted = rows.toSorted((a, b) => Number(b.errors.length > 0) - Number(a.errors.length > 0) || a.line - b.line)
  return (
    <>
      <Group gap="0.25rem 1rem" align="baseline" justify="space-between" role="status">
        <Text fw={560} className={common.wrap}>
          <Isolated>{name}</Isolated>
        </Text>
        <Text size="sm">{t('{good, number, ::group-off} good, {bad, number, ::group-off} bad', { good, bad })}</Text>
      </Group>
      {bad > 0 && (
        <Alert
          color="amber"
          icon={<IconAlertTriangle size={18} stroke={1.5} />}
          title={t('{bad, plural, one {One line is wrong} other {# lines are wrong}}', { bad })}
        >
          {t('Nobody is invited until every line is good. Correct what is named below and choose the list again.')}
        </Alert>
      )}
      {rows.length === 0 && (
        <Text c="dimmed">{t('There is nobody in this list: it holds no line below the header.')}</Text>
      )}
      {rows.length > 0 && (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- without the focus the keyboard could not scroll it
        <div className={classes.rows} tabIndex={0} role="region" aria-label={t('People in the list')}>
          <Table aria-label={t('People in the list')} stickyHeader className={classes.preview} verticalSpacing="xs">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('Line')}</Table.Th>
                <Table.Th>{t('Email')}</Table.Th>
                <Table.Th>{t('Name')}</Table.Th>
                <Table.Th>{t('Role')}</Table.Th>
                <Table.Th>{t('Check')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {sorted.slice(0, maxRows).map((row) => (
                <Row key={row.line} row={row} />
              ))}
            </Table.Tbody>
          </Table>
          {sorted.length > maxRows && (
            <Text size="sm" c="dimmed" py="sm" px="md">
              {t('{count, plural, one {And # person more.} other {And # people more.}}', {
                count: sorted.length - maxRows,
              })}
            </Text>
          )}
        </div>
      )}
      <div className={classes.importFoot}>
        {bad === 0 && good > 0 && (
          <Select
            label={t('The links work for')}
            w="9rem"
            data={dayChoices}
            value={days}
            onChange={(value) => setDays(value ?? days)}
            disabled={isBusy}
          />
        )}
        <div className={classes.actions}>
          <Button variant="default" onClick={onClose} disabled={isBusy}>
            {t('Cancel')}
          </Button>
          {/* The focus follows the step: what the reader does next is here. */}
          <Button
            variant={bad > 0 ? 'filled' : 'default'}
            onClick={onBack}
            disabled={isBusy}
            {...(bad > 0 && { ref: focusOnce })}
          >
            {t('Choose another list')}
          </Button>
          {bad === 0 && good > 0 && (
            <Button loading={isBusy} onClick={() => onImport(Number(days))} ref={focusOnce}>
              {t('{good, plural, one {Invite # person} other {Invite # people}}', { good })}
            </Button>
          )}
        </div>
      </div>
      {isBusy && (
        <Text size="sm" c="dimmed" role="status">
          {t('{good, plural, one {Inviting # person…} other {Inviting # people…}}', { good })}
        </Text>
      )}
    </>
  )
}

function focusOnce(button: HTMLButtonElement | null): void {
  button?.focus({ preventScroll: true })
}

function Row({ row }: { row: ImportRow }) {
  const role = Role.safeParse(row.role)
  const isBad = row.errors.length > 0
  return (
    <Table.Tr data-bad={isBad || undefined} className={classes.importRow}>
      <Table.Td data-label={t('Line')}>{row.line}</Table.Td>
      <Table.Td data-label={t('Email')}>{row.email}</Table.Td>
      <Table.Td data-label={t('Name')}>{nameOf(row) && <Isolated>{nameOf(row)}</Isolated>}</Table.Td>
      <Table.Td data-label={t('Role')}>{role.success ? roleNames[role.data] : row.role}</Table.Td>
      <Table.Td data-label={t('Check')}>
        {isBad ? (
          <Text component="ul" inherit c="var(--mantine-color-error)" fz="sm">
            {row.errors.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </Text>
        ) : (
          <Badge color="green">{t('Good|line of a file')}</Badge>
        )}
      </Table.Td>
    </Table.Tr>
  )
}
