import { Button, Group, SegmentedControl, TextInput } from '@mantine/core'
import { useDebouncedValue, useDisclosure } from '@mantine/hooks'
import IconBriefcase from '@tabler/icons-react/dist/esm/icons/IconBriefcase.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { t } from '#contract/texts/t.ts'
import { isAdmin, useUser } from '../../shared/session/session.ts'
import { ErrorNotice, LoadingNotice, Notice } from '../../shared/ui/notice.tsx'
import { Page } from '../../shared/ui/page.tsx'
import { Pages } from '../admin/user-table.tsx'
import { CaseDialog } from './case-dialog.tsx'
import { CaseRow } from './case-row.tsx'
import { useCases } from './use-cases.ts'
import common from '../../shared/ui/common.module.css'

const searchDelayMs = 250

/** The user's cases; admins can also see everyone's. */
export function CaseList() {
  const user = useUser()
  const navigate = useNavigate()
  const [isCreating, creating] = useDisclosure(false)
  const [scope, setScope] = useState<'mine' | 'all'>('mine')
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed.trim(), searchDelayMs)
  const [page, setPage] = useState(1)
  const { data, isError, refetch } = useCases({ scope, search, page })
  const isEmpty = data?.total === 0 && search === ''
  const create = (
    <Button leftSection={<IconPlus size={16} stroke={1.75} />} onClick={creating.open}>
      {t('New case')}
    </Button>
  )
  return (
    <Page
      title={t('Cases')}
      lead={t('Recordings that several people read and correct together.')}
      actions={!isEmpty && create}
    >
      {(!isEmpty || isAdmin(user)) && (
        <Group gap="xs" align="stretch" mb="md">
          <TextInput
            flex="1 1 12rem"
            maw={384}
            aria-label={t('Search cases by name')}
            placeholder={t('Search by name')}
            leftSection={<IconSearch size={16} stroke={1.5} />}
            value={typed}
            onChange={({ currentTarget }) => {
              setTyped(currentTarget.value)
              setPage(1)
            }}
          />
          {isAdmin(user) && (
            <SegmentedControl
              aria-label={t('Whose cases')}
              data={[
                { value: 'mine', label: t('Mine|cases') },
                { value: 'all', label: t('Everybody’s') },
              ]}
              value={scope}
              onChange={(value) => {
                setScope(value === 'all' ? 'all' : 'mine')
                setPage(1)
              }}
            />
          )}
        </Group>
      )}
      {!data && isError && <ErrorNotice message={t('The cases could not be loaded.')} onRetry={() => void refetch()} />}
      {!data && !isError && <LoadingNotice label={t('Loading the cases')} />}
      {isEmpty && (
        <Notice title={t('No cases yet')} icon={<IconBriefcase size={22} stroke={1.5} />} action={create}>
          {t(
            'A case brings recordings together for the people who work on them. Create one, add members by their e-mail address, then add recordings from the library.',
          )}
        </Notice>
      )}
      {data?.total === 0 && search !== '' && (
        <Notice title={t('No case of this name')}>{t('Nothing in your cases matches “{search}”.', { search })}</Notice>
      )}
      {data && data.total > 0 && (
        <ul className={`${common.surface} ${common.clip}`} aria-label={t('Cases')}>
          {data.cases.map((shown) => (
            <CaseRow key={shown.id} shown={shown} />
          ))}
        </ul>
      )}
      {data && data.pages > 1 && (
        <Group gap={0} align="stretch" justify="center" wrap="nowrap" mt="md">
          <Pages total={data.pages} page={page} onPage={setPage} />
        </Group>
      )}
      <CaseDialog
        isOpen={isCreating}
        onClose={creating.close}
        onSaved={({ id }) => void navigate(`/cases?case=${id}`)}
      />
    </Page>
  )
}
