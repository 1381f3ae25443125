import { Menu } from '@mantine/core'
import IconTemplate from '@tabler/icons-react/dist/esm/icons/IconTemplate.mjs'
import { Link } from 'react-router-dom'
import type { ReportTemplate } from '#contract/report-templates.ts'
import type { TranscriptFormat } from '#contract/transcript-formats.ts'
import { t } from '#contract/texts/t.ts'
import { Isolated } from '../../../shared/ui/isolated.tsx'
import classes from './export-menu.module.css'
import { describeTemplate, type useReportTemplates } from './report-templates.ts'

interface TemplateItemsProps {
  templates: ReturnType<typeof useReportTemplates>
  printPathOf: (template: ReportTemplate) => string
  onDownload: (template: ReportTemplate, format: TranscriptFormat) => void
}

/** The part of the menu that creates a report from a template; renders nothing if there are none. */
export function TemplateItems({ templates: { data, isError, isLoading, refetch }, ...actions }: TemplateItemsProps) {
  if (isError && !data) {
    return (
      <>
        <Menu.Label>{t('The report templates could not be loaded.')}</Menu.Label>
        <Menu.Item closeMenuOnClick={false} onClick={() => void refetch()}>
          {t('Try again')}
        </Menu.Item>
        <Menu.Divider />
      </>
    )
  }
  if (isLoading) return <Menu.Label>{t('Loading report templates…')}</Menu.Label>
  if (!data || data.length === 0) return null
  return (
    <>
      <Menu.Label>{t('Report templates')}</Menu.Label>
      {data.map((template) => (
        <TemplateItem key={template.id} template={template} {...actions} />
      ))}
      <Menu.Divider />
    </>
  )
}

function TemplateItem({
  template,
  printPathOf,
  onDownload,
}: Omit<TemplateItemsProps, 'templates'> & { template: ReportTemplate }) {
  const { format } = template
  const leftSection = <IconTemplate size={20} stroke={1.5} />
  const entry = (
    <>
      <span className={classes.name}>
        <Isolated>{template.name}</Isolated>
      </span>
      <span className={classes.purpose}>{describeTemplate(template)}</span>
    </>
  )
  if (format !== 'print') {
    return (
      <Menu.Item leftSection={leftSection} onClick={() => onDownload(template, format)}>
        {entry}
      </Menu.Item>
    )
  }
  return (
    <Menu.Item component={Link} to={printPathOf(template)} target="_blank" leftSection={leftSection}>
      {entry}
    </Menu.Item>
  )
}
