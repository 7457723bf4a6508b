/** Addresses of this machine and of the registries of npm, as part of a regular expression. */
export const TRUSTED_REGISTRY =
  "https?://(?:localhost|127\\.0\\.0\\.1|registry\\.(?:npmjs\\.org|yarnpkg\\.com))(?::\\d+)?(?:[/?#]|$)";
