import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs'
import { useState } from 'react'
import { CaseName, type Case } from '#contract/cases.ts'
import { isolateName } from '#contract/isolated-name.ts'
import type { LibrarySelection } from '#contract/library.ts'
import { t } from '#contract/texts/t.ts'
import { messageOf } from '../../shared/api/api-error.ts'
import { useOwnRetention } from '../../shared/recordings/own-retention.ts'
import { CaseMark } from '../../shared/cases/case-mark.tsx'
import { rich } from '../../shared/texts/rich.tsx'
import { toastError, toastInfo, toastSuccess } from '../../shared/toast.tsx'
import { Isolated } from '../../shared/ui/isolated.tsx'
import { ErrorNotice, LoadingNotice } from '../../shared/ui/notice.tsx'
import classes from './add-to-case-dialog.module.css'
import { useAddRecordings, useCreateCase, useOpenCases } from './use-cases.ts'

interface AddToCaseDialogProps {
  selection: LibrarySelection
  count: number
  isOpen: boolean
  onClose: () => void
  onDone: () => void
}

const searchDelayMs = 250

/** Asks which case to add recordings to; the search text can become the name of a new case. */
export function AddToCaseDialog({ isOpen, onClose, ...props }: AddToCaseDialogProps) {
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={t('{count, plural, one {Add # recording to a case} other {Add # recordings to a case}}', {
        count: props.count,
      })}
    >
      <CaseChoice {...props} />
    </Modal>
  )
}

function CaseChoice({ selection, count, onDone }: Omit<AddToCaseDialogProps, 'isOpen' | 'onClose'>) {
  const [typed, setTyped] = useState('')
  const retentionDays = useOwnRetention()?.days ?? 0
  const [asked, setAsked] = useState<Case | null>(null)
  const name = typed.trim()
  const [search] = useDebouncedValue(name, searchDelayMs)
  const { data, isError, refetch } = useOpenCases(search)
  const create = useCreateCase()
  const add = useAddRecordings()
  const isBusy = create.isPending || add.isPending
  const found = data?.cases ?? []
  const canCreate = CaseName.safeParse(name).success && !found.some((each) => each.name === name)

  function choose(chosen: Case) {
    if (isShorter(chosen.retention_days ?? 0, retentionDays)) setAsked(chosen)
    else addTo(chosen)
  }

  function addTo(chosen: Pick<Case, 'id' | 'name'>) {
    const into = isolateName(chosen.name)
    const onSuccess = ({ added }: { added: number }) => {
      if (added === 0)
        toastInfo(
          t('{count, plural, one {It is in {into} already} other {All are in {into} already}}', { count, into }),
        )
      else
        toastSuccess(
          t('{added, plural, one {# recording added to {into}} other {# recordings added to {into}}}', { added, into }),
        )
      onDone()
    }
    add.mutate({ id: chosen.id, selection }, { onSuccess })
  }

  function createAndAdd() {
    const onError = (error: Error) => toastError(messageOf(error, t('Network error. Please try again.')))
    create.mutate({ name }, { onSuccess: addTo, onError })
  }

  if (asked)
    return <ShorterTime shown={asked} isBusy={isBusy} onAdd={() => addTo(asked)} onBack={() => setAsked(null)} />
  return (
    <Stack gap="sm">
      <TextInput
        aria-label={t('Search cases, or name a new one')}
        placeholder={t('Search, or name a new case')}
        maxLength={120}
        data-autofocus
        leftSection={<IconSearch size={16} stroke={1.5} />}
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      {!data && isError && <ErrorNotice message={t('The cases could not be loaded.')} onRetry={() => void refetch()} />}
      {!data && !isError && <LoadingNotice label={t('Loading the cases')} />}
      {found.length > 0 && (
        <ul className={classes.cases} aria-label={t('Cases')}>
          {found.map((each) => (
            <li key={each.id}>
              <button type="button" className={classes.case} disabled={isBusy} onClick={() => choose(each)}>
                <CaseMark colour={each.colour} />
                <Text span inherit truncate flex={1} miw={0}>
                  <Isolated isCut>{each.name}</Isolated>
                </Text>
                <span className={classes.facts}>
                  {t('{count, plural, one {# member} other {# members}}', { count: each.member_count })}
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {data && found.length === 0 && name === '' && (
        <p className={classes.empty}>{t('You have no cases yet. Name one to create it.')}</p>
      )}
      {canCreate && (
        <Button
          variant="default"
          leftSection={<IconPlus size={16} stroke={1.75} aria-hidden />}
          loading={create.isPending}
          disabled={isBusy}
          onClick={createAndAdd}
        >
          <span>{rich('Create “{name}” and add', { name: <Isolated>{name}</Isolated> })}</span>
        </Button>
      )}
      <p className={classes.note}>
        {t('Members of the case read these recordings, and those who may correct them do.')}
      </p>
    </Stack>
  )
}

/** Whether a rule deletes earlier than another; 0 days means never. */
function isShorter(days: number, otherDays: number): boolean {
  return days > 0 && (otherDays === 0 || days < otherDays)
}

interface ShorterTimeProps {
  shown: Case
  isBusy: boolean
  onAdd: () => void
  onBack: () => void
}

/** Asks before adding recordings to a case that deletes them earlier: days count from the upload, so old ones are deleted soon. */
function ShorterTime({ shown, isBusy, onAdd, onBack }: ShorterTimeProps) {
  return (
    <Stack gap="sm">
      <p>
        {t(
          'Recordings of {name} are deleted {days, plural, =1 {a day} other {# days}} after their upload. Those that are older are deleted within the hour.',
          { name: isolateName(shown.name), days: shown.retention_days ?? 0 },
        )}
      </p>
      <Group gap="xs" justify="flex-end">
        <Button variant="default" onClick={onBack} data-autofocus>
          {t('Back')}
        </Button>
        <Button color="red" loading={isBusy} onClick={onAdd}>
          {t('Add all the same')}
        </Button>
      </Group>
    </Stack>
  )
}
