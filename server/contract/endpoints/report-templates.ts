import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { maxReportTemplates, ReportTemplate, ReportTemplateInput } from '../report-templates.ts'
import { IdParams, Message } from '../scalars.ts'

export const reportTemplates = {
  list: endpoint({
    method: 'GET',
    path: '/api/report-templates',
    access: 'user',
    summary: "The user's report templates by name",
    response: z.object({ templates: z.array(ReportTemplate) }),
    errors: [],
  }),
  save: endpoint({
    method: 'POST',
    path: '/api/report-templates',
    access: 'user',
    summary: 'Save what a report holds under a name; a template of the same name is replaced',
    body: ReportTemplateInput,
    response: ReportTemplate,
    status: 201,
    limit: { max: maxReportTemplates, error: 'conflict' },
    errors: ['conflict'],
  }),
  change: endpoint({
    method: 'PUT',
    path: '/api/report-templates/:id',
    access: 'user',
    summary: 'Change a report template, its name included; 409 where another has the name',
    params: IdParams,
    body: ReportTemplateInput,
    response: ReportTemplate,
    errors: ['not_found', 'conflict'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/report-templates/:id',
    access: 'user',
    summary: 'Delete a report template',
    params: IdParams,
    response: Message,
    errors: ['not_found'],
  }),
}
