// Turns off what CopilotKit's runtime sends home. It reads this when it is loaded, so this module is imported first.
process.env.COPILOTKIT_TELEMETRY_DISABLED = "true";
