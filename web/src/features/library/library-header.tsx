import { ActionIcon, Button, FileButton, Group, Text, Title, Tooltip } from '@mantine/core'
import IconInfoCircle from '@tabler/icons-react/dist/esm/icons/IconInfoCircle.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import IconUpload from '@tabler/icons-react/dist/esm/icons/IconUpload.mjs'
import { Link, useNavigate } from 'react-router-dom'
import { audioExtensions } from '#contract/entities/recording.ts'
import { t } from '#contract/texts/t.ts'
import { formatSpan } from '../../shared/format.ts'
import { useOwnRetention } from '../../shared/recordings/own-retention.ts'
import { useStats } from '../../shared/recordings/recordings.ts'
import { useUploads } from '../../shared/uploads/uploads.ts'
import classes from './library-header.module.css'
import common from '../../shared/ui/common.module.css'

const accept = audioExtensions.map((extension) => `.${extension}`).join(',')

interface LibraryHeaderProps {
  /** Of the feature cards, where they are shown. */
  featuresId: string
  areFeaturesShown: boolean
  onShowFeatures: (areShown: boolean) => void
}

/** Title, figures, whether the feature cards are shown, the way to the trash, and the upload of more recordings. */
export function LibraryHeader({ featuresId, areFeaturesShown, onShowFeatures }: LibraryHeaderProps) {
  const uploads = useUploads()
  const navigate = useNavigate()

  function upload(files: File[]) {
    if (uploads.add(files) > 0) void navigate('/upload')
  }

  return (
    <Group component="header" gap="xs" justify="space-between" wrap="nowrap" p="0.75rem 1rem 0.25rem">
      <Group gap="0 1rem" align="baseline" miw={0}>
        <Title order={1} size="h2">
          {t('Library')}
        </Title>
        <Figures />
      </Group>
      <Button
        className={classes.features}
        variant="subtle"
        color="gray"
        size="sm"
        px="xs"
        aria-label={t('What Awaz does')}
        aria-expanded={areFeaturesShown}
        aria-controls={areFeaturesShown ? featuresId : undefined}
        leftSection={<IconInfoCircle size={18} stroke={1.5} aria-hidden />}
        onClick={() => onShowFeatures(!areFeaturesShown)}
      >
        <span className={classes.featuresLabel}>{t('What Awaz does')}</span>
      </Button>
      <Tooltip label={t('Trash')}>
        <ActionIcon component={Link} to="/trash" variant="subtle" color="gray" size="lg" aria-label={t('Trash')}>
          <IconTrash size={18} stroke={1.5} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <FileButton multiple accept={accept} onChange={upload} inputProps={{ 'aria-label': t('Recordings to upload') }}>
        {(props) => (
          <Button
            {...props}
            className={classes.upload}
            size="sm"
            title={t('Or drop files anywhere')}
            leftSection={<IconUpload size={16} stroke={1.75} aria-hidden />}
          >
            {t('Upload')}
          </Button>
        )}
      </FileButton>
    </Group>
  )
}

/** The figures of the dashboard (audio-workflow specification, section 3) in one line. */
function Figures() {
  const { data: stats } = useStats()
  const retention = useOwnRetention()
  if (!stats) return null
  const { totalFiles: files, totalDuration: seconds, languagesProcessed: languages } = stats
  const figures = [
    t('{total, plural, one {# recording} other {# recordings}}', { total: files }),
    t('{span} of audio', { span: formatSpan(seconds) }),
    t('{count, plural, one {# language} other {# languages}}', { count: languages }),
  ]
  if (retention && retention.days > 0)
    figures.push(t('{days, plural, =1 {kept for a day} other {kept for # days}}', { days: retention.days }))
  if (retention?.has_case_days) figures.push(t('some cases have other periods'))
  return (
    <Text c="dimmed" fz="sm" className={common.figures}>
      {figures.join(' · ')}
    </Text>
  )
}
