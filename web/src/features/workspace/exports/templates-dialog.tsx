import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { useRef, useState, type Ref } from 'react'
import { isolateName } from '#contract/isolated-name.ts'
import type { ReportTemplate, ReportTemplateInput } from '#contract/report-templates.ts'
import { t } from '#contract/texts/t.ts'
import { messageWithHelp } from '../../../shared/api/api-error.ts'
import { toastUndo } from '../../../shared/action-toast.tsx'
import { toastError, toastSuccess } from '../../../shared/toast.tsx'
import { IconButton } from '../../../shared/ui/icon-button.tsx'
import { Isolated } from '../../../shared/ui/isolated.tsx'
import { ErrorNotice, LoadingNotice } from '../../../shared/ui/notice.tsx'
import common from '../../../shared/ui/common.module.css'
import type { ExportOptions } from './export-options.ts'
import { describeTemplate, toNewTemplate, useReportTemplateActions, useReportTemplates } from './report-templates.ts'
import { TemplateForm } from './template-form.tsx'

interface TemplatesDialogProps {
  /** What the dialog opens with: a new template with these options, or the list. */
  start: 'new' | 'list'
  options: ExportOptions
  onClose: () => void
}

/** Creates, changes and deletes report templates. */
export function TemplatesDialog({ start, options, onClose }: TemplatesDialogProps) {
  const [edited, setEdited] = useState<(ReportTemplateInput & { id?: string }) | null>(
    start === 'new' ? toNewTemplate(options) : null,
  )
  const templates = useReportTemplates({ isWanted: true })
  const leaveForm = start === 'new' ? onClose : () => setEdited(null)
  const title = edited === null ? t('Report templates') : t('New report template')
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={edited?.id === undefined ? title : t('Change the report template')}
    >
      {edited === null ? (
        <TemplateList
          templates={templates}
          onNew={() => setEdited(toNewTemplate(options))}
          onEdit={(template) => setEdited(template)}
        />
      ) : (
        <TemplateForm
          initial={edited}
          templates={templates.data ?? []}
          onCancel={leaveForm}
          onSaved={() => {
            toastSuccess(t('Report template saved'))
            leaveForm()
          }}
        />
      )}
    </Modal>
  )
}

interface TemplateListProps {
  templates: ReturnType<typeof useReportTemplates>
  onNew: () => void
  onEdit: (template: ReportTemplate) => void
}

function TemplateList({ templates: { data, error, refetch }, onNew, onEdit }: TemplateListProps) {
  const newButton = useRef<HTMLButtonElement>(null)
  if (!data) {
    if (!error) return <LoadingNotice label={t('Loading report templates…')} />
    const message = messageWithHelp(error, t('The report templates could not be loaded.'))
    return <ErrorNotice message={message} onRetry={() => void refetch()} />
  }
  return (
    <Stack gap="md">
      {data.length === 0 ? (
        <Text c="dimmed">
          {t('A template keeps what a report contains, with your heading, introduction and closing text.')}
        </Text>
      ) : (
        <Stack component="ul" gap={0} aria-label={t('Report templates')}>
          {data.map((template) => (
            <TemplateRow
              key={template.id}
              template={template}
              onEdit={() => onEdit(template)}
              // Otherwise the focus would be lost with the row.
              onRemoved={() => newButton.current?.focus()}
            />
          ))}
        </Stack>
      )}
      <NewButton ref={newButton} onClick={onNew} />
    </Stack>
  )
}

function NewButton({ ref, onClick }: { ref: Ref<HTMLButtonElement>; onClick: () => void }) {
  return (
    <Group justify="flex-end">
      <Button ref={ref} variant="default" leftSection={<IconPlus size={16} stroke={1.5} />} onClick={onClick}>
        {t('New template')}
      </Button>
    </Group>
  )
}

interface TemplateRowProps {
  template: ReportTemplate
  onEdit: () => void
  onRemoved: () => void
}

function TemplateRow({ template, onEdit, onRemoved }: TemplateRowProps) {
  const { save, remove } = useReportTemplateActions()
  const name = isolateName(template.name)

  // The row is gone by the time either mutation finishes, so the follow-up cannot be one of its callbacks.
  function restore() {
    const { id: _, ...content } = template
    save.mutateAsync(content).catch(showError)
  }

  async function removeIt() {
    try {
      await remove.mutateAsync(template)
      toastUndo(t('{name} was deleted.', { name }), restore)
      onRemoved()
    } catch (error) {
      showError(error)
    }
  }

  return (
    <Group component="li" gap="xs" wrap="nowrap" py="xs" className={common.lineBetween}>
      <Stack gap={2} flex={1} miw={0}>
        <Text span fw={600} className={common.wrap}>
          <Isolated>{template.name}</Isolated>
        </Text>
        <Text span size="sm" c="dimmed">
          {describeTemplate(template)}
        </Text>
      </Stack>
      <IconButton label={t('Change {name}', { name })} size="lg" onClick={onEdit}>
        <IconPencil size={18} stroke={1.5} />
      </IconButton>
      <IconButton
        label={t('Delete {name}', { name })}
        size="lg"
        loading={remove.isPending}
        onClick={() => void removeIt()}
      >
        <IconTrash size={18} stroke={1.5} />
      </IconButton>
    </Group>
  )
}

function showError(error: unknown): void {
  toastError(messageWithHelp(error, t('Network error. Please try again.')))
}
