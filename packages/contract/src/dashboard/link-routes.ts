import { z } from 'zod'
import {
  ChangeVerificationLink,
  CreateVerificationLink,
  ListVerificationLinks,
  VerificationLink,
  VerificationLinkId,
  VerificationLinkPage,
} from './links.ts'
import { dashboardPaths as at } from './paths.ts'
import type { DashboardRoute } from './route.ts'
import { EmptyResponse, EnvironmentName } from './values.ts'

const environmentParams = z.object({ environment: EnvironmentName })
const linkParams = z.object({ environment: EnvironmentName, id: VerificationLinkId })

/** Links that people open to be verified. Whoever has one can start a verification and learns nothing else, so none is confirmed. */
export const linkRoutes = {
  listLinks: {
    ...at.listLinks,
    summary: 'List verification links, newest first',
    may: 'read',
    params: environmentParams,
    query: ListVerificationLinks,
    success: { status: 200, body: VerificationLinkPage },
  },
  createLink: {
    ...at.createLink,
    summary: 'Create a verification link',
    may: 'manage_links',
    confirmed: false,
    params: environmentParams,
    json: CreateVerificationLink,
    success: { status: 201, body: VerificationLink },
    refusals: ['too_many', 'unknown_template'],
  },
  getLink: {
    ...at.getLink,
    summary: 'Get a verification link',
    may: 'read',
    params: linkParams,
    not_found: 'link_not_found',
    success: { status: 200, body: VerificationLink },
  },
  changeLink: {
    ...at.changeLink,
    summary: 'Change, deactivate or activate a verification link; absent members stay unchanged',
    may: 'manage_links',
    confirmed: false,
    params: linkParams,
    not_found: 'link_not_found',
    json: ChangeVerificationLink,
    success: { status: 200, body: VerificationLink },
    refusals: ['unknown_template'],
  },
  deleteLink: {
    ...at.deleteLink,
    summary: 'Delete a verification link; the verifications that it created stay',
    may: 'manage_links',
    confirmed: false,
    params: linkParams,
    not_found: 'link_not_found',
    success: { status: 200, body: EmptyResponse },
  },
} satisfies Record<string, DashboardRoute>
