/** How one workspace reaches a platform. */
export interface PlatformConnection {
  baseUrl: string;
  apiKey: string;
}
