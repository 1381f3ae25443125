import { Button, Menu, Modal, Pagination, Text, TextInput, Title } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs'
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs'
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import type { Recording } from '#contract/entities/recording.ts'
import { messageOf } from '../../shared/api/api-error.ts'
import { formatAgo, formatClock } from '../../shared/format.ts'
import { languageName } from '../../shared/recordings/languages.ts'
import { useDeleteRecording, useRecordings } from '../../shared/recordings/recordings.ts'
import { toastError, toastSuccess } from '../../shared/toast.tsx'
import { IconButton } from '../../shared/ui/icon-button.tsx'
import { ErrorNotice, LoadingNotice } from '../../shared/ui/notice.tsx'
import { Waveform } from '../../shared/ui/waveform.tsx'
import classes from './dashboard.module.css'
import { RenameForm } from './rename-form.tsx'

/** The user's recordings, newest first; nothing at all while there is none (audio-workflow specification, section 2). */
export function RecentActivity() {
  const [page, setPage] = useState(1)
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed, 250)
  const { data, isPending, isError, refetch } = useRecordings({ page, per_page: 10, search })
  if (isPending) return <LoadingNotice label="Loading recent recordings" />
  if (isError) return <ErrorNotice message="Your recordings could not be loaded." onRetry={() => void refetch()} />
  if (data.total === 0 && search === '' && typed === '') return null

  return (
    <section className={classes.recent} aria-labelledby="recent-title">
      <div className={classes.recentHead}>
        <Title order={2} id="recent-title">
          Recent Activity
        </Title>
        <TextInput
          aria-label="Search recordings"
          placeholder="Search by name"
          leftSection={<IconSearch size={16} stroke={1.5} />}
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value)
            setPage(1)
          }}
        />
      </div>
      {data.recordings.length === 0 ? (
        <Text c="dimmed" py="lg">
          No recording has “{search}” in its name.
        </Text>
      ) : (
        <ul className={classes.rows}>
          {data.recordings.map((recording) => (
            <RecordingRow key={recording.id} recording={recording} />
          ))}
        </ul>
      )}
      {data.pages > 1 && (
        <Pagination total={data.pages} value={page} onChange={setPage} mt="md" getControlProps={pageControl} />
      )}
    </section>
  )
}

function pageControl(control: 'first' | 'previous' | 'last' | 'next') {
  return { 'aria-label': `${control[0]?.toUpperCase()}${control.slice(1)} page` }
}

function RecordingRow({ recording }: { recording: Recording }) {
  const [isAsking, setIsAsking] = useState(false)
  const [isRenaming, setIsRenaming] = useState(false)
  return (
    <li className={classes.row}>
      <Link to={`/transcribe?recording=${recording.id}`} className={classes.rowLink}>
        <span className={classes.thumb}>
          <Waveform peaks={recording.peaks} />
        </span>
        <span className={classes.rowFacts}>
          <bdi className={classes.rowName}>{recording.name}</bdi>
          <Text span size="sm" c="dimmed">
            {formatClock(recording.duration)} ·{' '}
            {recording.language ? languageName(recording.language) : stateOf(recording)} ·{' '}
            {formatAgo(recording.created_at)}
          </Text>
        </span>
      </Link>
      <Menu position="bottom-end">
        <Menu.Target>
          <IconButton label={`Actions for ${recording.name}`}>
            <IconDots size={18} stroke={1.5} />
          </IconButton>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconPencil size={16} stroke={1.5} />} onClick={() => setIsRenaming(true)}>
            Rename
          </Menu.Item>
          <Menu.Item
            color="var(--mantine-color-error)"
            leftSection={<IconTrash size={16} stroke={1.5} />}
            onClick={() => setIsAsking(true)}
          >
            Delete
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Modal opened={isRenaming} onClose={() => setIsRenaming(false)} title="Rename recording">
        <RenameForm recording={recording} onClose={() => setIsRenaming(false)} />
      </Modal>
      <DeleteDialog recording={recording} isOpen={isAsking} onClose={() => setIsAsking(false)} />
    </li>
  )
}

function stateOf({ job, transcription_id: transcriptionId }: Recording): string {
  if (job?.state === 'running') return 'In progress'
  if (job?.state === 'queued') return 'Waiting'
  return transcriptionId ? 'Transcribed' : 'Not transcribed'
}

interface DeleteDialogProps {
  recording: Recording
  isOpen: boolean
  onClose: () => void
}

function DeleteDialog({ recording, isOpen, onClose }: DeleteDialogProps) {
  const remove = useDeleteRecording()
  function confirm() {
    remove.mutate(recording.id, {
      onSuccess: () => {
        toastSuccess('Recording deleted')
        onClose()
      },
      onError: (error) => toastError(messageOf(error, 'Network error. Please try again.')),
    })
  }
  return (
    <Modal opened={isOpen} onClose={onClose} title="Delete recording">
      <Text>
        <bdi>
          <strong>{recording.name}</strong>
        </bdi>{' '}
        goes with its audio, transcript and translations. This action cannot be undone!
      </Text>
      <div className={classes.dialogActions}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button color="red" loading={remove.isPending} onClick={confirm}>
          Delete
        </Button>
      </div>
    </Modal>
  )
}
