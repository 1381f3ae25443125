import { Button, Menu } from '@mantine/core'
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs'
import IconFileDownload from '@tabler/icons-react/dist/esm/icons/IconFileDownload.mjs'
import IconFileText from '@tabler/icons-react/dist/esm/icons/IconFileText.mjs'
import IconFileTypeDocx from '@tabler/icons-react/dist/esm/icons/IconFileTypeDocx.mjs'
import IconJson from '@tabler/icons-react/dist/esm/icons/IconJson.mjs'
import IconMessages from '@tabler/icons-react/dist/esm/icons/IconMessages.mjs'
import IconPrinter from '@tabler/icons-react/dist/esm/icons/IconPrinter.mjs'
import IconSubtitles from '@tabler/icons-react/dist/esm/icons/IconBadgeCc.mjs'
import { useState, type ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { hasConfidences } from '#contract/doubt.ts'
import { languageName } from '#contract/languages.ts'
import type { ReportTemplate } from '#contract/report-templates.ts'
import { t } from '#contract/texts/t.ts'
import type { TranscriptFormat } from '#contract/transcript-formats.ts'
import { useDesk } from '../state/desk-context.ts'
import classes from './export-menu.module.css'
import { ExportChoices } from './export-choices.tsx'
import { type ExportOptions, useExportOptions } from './export-options.ts'
import { toOptions, useReportTemplates } from './report-templates.ts'
import { TemplateItems } from './template-items.tsx'
import { TemplatesDialog } from './templates-dialog.tsx'
import { exportQuery, useExport, type ExportContent } from './use-export.ts'

/** Returns the address of a recording's print view. */
function printPath(recordingId: string, content: ExportContent): string {
  const { target_language: language, ...choices } = exportQuery(content)
  const search = new URLSearchParams({ recording: recordingId, ...(language && { target: language }), ...choices })
  return `/transcribe/print?${search.toString()}`
}

interface FormatEntry {
  format: TranscriptFormat
  name: string
  purpose: string
  icon: ReactNode
}

const iconProps = { size: 20, stroke: 1.5 } as const

const formats: FormatEntry[] = [
  {
    format: 'docx',
    name: t('Word (.docx)'),
    purpose: t('Both languages side by side, to edit'),
    icon: <IconFileTypeDocx {...iconProps} />,
  },
  {
    format: 'dialogue',
    name: t('Dialogue (.txt)'),
    purpose: t('Who said what and when, in order of time'),
    icon: <IconMessages {...iconProps} />,
  },
  { format: 'txt', name: t('Text (.txt)'), purpose: t('Speaker by speaker'), icon: <IconFileText {...iconProps} /> },
  {
    format: 'srt',
    name: t('Subtitles (.srt)'),
    purpose: t('For video players'),
    icon: <IconSubtitles {...iconProps} />,
  },
  {
    format: 'vtt',
    name: t('Web subtitles (.vtt)'),
    purpose: t('For web pages'),
    icon: <IconSubtitles {...iconProps} />,
  },
  {
    format: 'json',
    name: t('Data (.json)'),
    purpose: t('Words, times, models and edits, for programs'),
    icon: <IconJson {...iconProps} />,
  },
]

/** Downloads the transcript in any format or with a report template, or opens it for printing. Renders nothing until there is one. */
export function ExportMenu() {
  const { recording, transcription, translation } = useDesk()
  const { options, change } = useExportOptions()
  const [dialog, setDialog] = useState<'new' | 'list' | null>(null)
  // Fetched as soon as the pointer is on the button: if items moved in an open menu, people would click the wrong one.
  const [isWanted, setWanted] = useState(false)
  const templates = useReportTemplates({ isWanted })
  const { download, isDownloading } = useExport(recording)
  if (!transcription) return null
  const isMeasured = hasConfidences(transcription)
  const contentOf = (wanted: ExportOptions): ExportContent => ({
    target: translation && wanted.hasTranslation ? translation.target_language : null,
    options: isMeasured ? wanted : { ...wanted, doubt: 'none' },
  })
  const content = contentOf(options)
  const fromTemplate = (template: ReportTemplate) => ({ ...contentOf(toOptions(template)), template: template.id })
  const want = () => setWanted(true)
  return (
    <>
      <Menu onOpen={want} position="bottom-end" width={320} classNames={{ dropdown: classes.dropdown ?? '' }}>
        <Menu.Target>
          <Button
            variant="default"
            size="xs"
            h={34}
            loading={isDownloading}
            leftSection={<IconFileDownload size={18} stroke={1.5} />}
            rightSection={<IconChevronDown size={14} stroke={1.5} />}
            classNames={{ label: classes.label ?? '', section: classes.section ?? '' }}
            aria-label={t('Export')}
            onPointerEnter={want}
            onFocus={want}
          >
            <span className={classes.word}>{t('Export')}</span>
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <TemplateItems
            templates={templates}
            printPathOf={(template) => printPath(recording.id, fromTemplate(template))}
            onDownload={(template, format) => download({ format, ...fromTemplate(template) })}
          />
          <Menu.Item
            component={Link}
            to={printPath(recording.id, content)}
            target="_blank"
            leftSection={<IconPrinter {...iconProps} />}
          >
            <Entry name={t('Print or PDF')} purpose={t('The same as Word, in a new tab')} />
          </Menu.Item>
          {formats.map(({ format, name, purpose, icon }) => (
            <Menu.Item key={format} leftSection={icon} onClick={() => download({ format, ...content })}>
              <Entry name={name} purpose={purpose} />
            </Menu.Item>
          ))}
          <Menu.Divider />
          <ExportChoices
            options={content.options}
            onChange={change}
            target={translation && languageName(translation.target_language)}
            hasDoubt={isMeasured}
          />
          <Menu.Divider />
          <Menu.Item onClick={() => setDialog('new')}>{t('Save as a report template…')}</Menu.Item>
          {templates.data && templates.data.length > 0 && (
            <Menu.Item onClick={() => setDialog('list')}>{t('Change or delete templates…')}</Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {dialog && <TemplatesDialog start={dialog} options={options} onClose={() => setDialog(null)} />}
    </>
  )
}

function Entry({ name, purpose }: { name: string; purpose: string }) {
  return (
    <>
      <span className={classes.name}>{name}</span>
      <span className={classes.purpose}>{purpose}</span>
    </>
  )
}
