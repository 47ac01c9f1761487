export {
  type Call,
  type DashboardCall,
  type DashboardEndpoint,
  type Endpoint,
  type EndpointResponse,
  type ErrorPage,
  type HttpContext,
  type OperatorCall,
  type OperatorEndpoint,
  type OperatorHttpContext,
  acceptsHtml,
  dashboardEndpoint,
  endpoint,
  operatorEndpoint,
} from './endpoint.ts'
export { mountHealth } from './health-routes.ts'
export { mountStream } from './mount-stream.ts'
export { mount, mountDashboard, mountOperator } from './mount.ts'
export { type DrainOptions, drain } from './server/drain.ts'
export { type Readiness, listeningUrl, serveMetrics, serveWorkerMetrics } from './server/metrics-server.ts'
export { serveRefusal } from './server/serve-refusal.ts'
export { openServer } from './server/server.ts'
export { mountDocs } from './static/docs-routes.ts'
export { mountFrontEnd } from './static/front-end-routes.ts'
export { mountGuides } from './static/guide-routes.ts'
export { plainStylePath } from './server/handle-unmatched.ts'
export { mountHome, mountPageFiles } from './static/home-routes.ts'
export { mountReceiptCheck } from './static/receipt-check-routes.ts'
export { createStaticHandler, mountFiles } from './static/static-file.ts'
