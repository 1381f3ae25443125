import { Button, SimpleGrid, Text, UnstyledButton } from '@mantine/core'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import IconUserSearch from '@tabler/icons-react/dist/esm/icons/IconUserSearch.mjs'
import { useState } from 'react'
import { admin } from '#contract/endpoints/admin.ts'
import { t } from '#contract/texts/t.ts'
import type { BulkUserAction } from '#contract/user-list.ts'
import { callForFile } from '../../shared/api/client.ts'
import { useUser } from '../../shared/session/session.ts'
import { ErrorNotice, LoadingNotice, Notice } from '../../shared/ui/notice.tsx'
import { formatNumber } from '../../shared/format.ts'
import classes from './admin.module.css'
import { BulkBar } from './bulk-bar.tsx'
import { BulkDialog, BulkResult } from './bulk-dialog.tsx'
import { ListTools } from './list-tools.tsx'
import { RoleSelect } from './role-select.tsx'
import { useBulkAction } from './use-bulk-action.ts'
import { useAdminStats, useRefresh, useUsers } from './use-admin.ts'
import { useCsvDownload } from './use-csv-download.ts'
import { useUserSelection } from './use-user-selection.ts'
import { UserActions } from './user-actions.tsx'
import { UserFilters } from './user-filters.tsx'
import { type UserListState, useUserListState } from './user-list-state.ts'
import { OrderSelect } from './user-order.tsx'
import { isInReach, type Panel } from './user-policy.ts'
import { ListFoot, UserTable } from './user-table.tsx'

/** User counts; each figure filters the list to the users it counts. */
function Figures({ state, onNarrow }: { state: string; onNarrow: (state: string) => void }) {
  const stats = useAdminStats()
  const figures = [
    { label: t('Total users'), value: stats?.total_users, narrowTo: '' },
    { label: t('Active'), value: stats?.active_users, narrowTo: 'active' },
    { label: t('Verified'), value: stats?.verified_users, narrowTo: 'verified' },
    { label: t('With two-factor'), value: stats?.users_with_2fa, narrowTo: 'with_2fa' },
  ]
  return (
    <SimpleGrid
      minColWidth={144}
      autoFlow="auto-fit"
      spacing="sm"
      m="0 0 1.25rem"
      role="group"
      aria-label={t('Figures')}
    >
      {figures.map(({ label, value, narrowTo }) => (
        <UnstyledButton
          key={narrowTo}
          className={classes.figure}
          aria-pressed={state === narrowTo}
          onClick={() => onNarrow(narrowTo)}
        >
          <Text span inherit c="dimmed" fz="sm">
            {label}
          </Text>
          <Text span inherit fz="1.75rem" fw={620} lts="-0.02em">
            {value === undefined ? '–' : formatNumber(value)}
          </Text>
        </UnstyledButton>
      ))}
    </SimpleGrid>
  )
}

/** The figures and the list of users, with everything that a panel may do to them, one by one or together. */
export function UserPanel({ panel }: { panel: Panel }) {
  const list = useUserListState()
  const users = useUsers(panel, list)
  const self = useUser()
  const refresh = useRefresh()
  const selection = useUserSelection(list.filterKey)
  const bulk = useBulkAction(selection)
  const [asked, setAsked] = useState<BulkUserAction>()

  function choose(action: BulkUserAction) {
    if (action === 'activate') bulk.run(action)
    else setAsked(action)
  }

  return (
    <>
      <Figures state={list.filters.state} onNarrow={(to) => list.setFilter('state', to)} />
      <div className={classes.surface}>
        <ListTools
          label={t('Search users')}
          search={list.typed}
          onSearch={list.setTyped}
          onRefresh={refresh}
          actions={<ExportButton filters={list.filters} order={list.order} />}
        >
          <UserFilters list={list} canExcludeSelf={panel === 'super_admin'} />
          <OrderSelect order={list.order} onOrder={list.setOrder} />
        </ListTools>
        {bulk.result && <BulkResult result={bulk.result} onClose={bulk.forgetResult} />}
        {users.error && <ErrorNotice message={users.error} onRetry={users.refetch} />}
        {users.isPending && <LoadingNotice label={t('Loading users')} />}
        {!users.error && users.data?.users.length === 0 && (
          <NobodyFound isFiltered={users.data.page === 1} onClear={list.clear} />
        )}
        {!users.error && users.data && users.data.users.length > 0 && (
          <>
            <UserTable
              users={users.data.users}
              order={list.order}
              onOrder={list.setOrder}
              selection={selection}
              isSelectable={(user) => user.id !== self.id && isInReach(self, user)}
              renderRole={(user) =>
                panel === 'admin' && user.role === 'super_admin' ? (
                  <Text size="sm">{t('Super admin')}</Text>
                ) : (
                  <RoleSelect user={user} as={panel} />
                )
              }
              renderActions={(user) => <UserActions user={user} panel={panel} />}
            />
            <ListFoot
              count={t('{total, plural, one {# user} other {# users}}', { total: users.data.total })}
              pages={users.data.pages}
              page={list.page}
              onPage={list.setPage}
            />
          </>
        )}
        {selection.users.length > 0 && <BulkBar selection={selection} isBusy={bulk.isBusy} onAction={choose} />}
      </div>
      <BulkDialog
        action={asked}
        users={selection.users}
        isBusy={bulk.isBusy}
        onConfirm={(action) => bulk.run(action, () => setAsked(undefined))}
        onClose={() => setAsked(undefined)}
      />
    </>
  )
}

function ExportButton({ filters, order }: Pick<UserListState, 'filters' | 'order'>) {
  const download = useCsvDownload()
  const query = { ...filters, ...order }
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={16} stroke={1.5} aria-hidden />}
      loading={download.isPending}
      onClick={() =>
        download.mutate({
          fileName: 'awaz-users.csv',
          load: () => callForFile(admin.usersCsv, { query }),
          success: t('Users downloaded'),
        })
      }
    >
      {t('Export CSV')}
    </Button>
  )
}

function NobodyFound({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  return (
    <Notice
      title={t('No users found')}
      icon={<IconUserSearch size={22} stroke={1.5} />}
      action={
        <Button variant="default" onClick={onClear}>
          {t('Show all users')}
        </Button>
      }
    >
      {isFiltered ? t('Nobody matches this search and these filters.') : t('The list has fewer pages now.')}
    </Notice>
  )
}
