import type { Operation } from "../core/operation.ts";
import { planned, withAliases } from "../core/planned-operation.ts";
import { readRoles, workRoles, writeRoles } from "../core/roles.ts";

/** Operations of command and analytic templates (`/mop`) that are not built yet: spec templates-gateway-forms.md §1. */
export const commandTemplatesPlanned: readonly Operation[] = [
  planned("listTemplates", "GET /mop/listTemplates", "List the command templates.", readRoles),
  planned("listATemplate", "GET /mop/listATemplate/:name", "Show the command template of this name.", readRoles),
  planned("createTemplate", "POST /mop/createTemplate", "Store a new command template.", writeRoles),
  withAliases(
    planned("updateTemplate", "POST /mop/updateTemplate/:mopID", "Replace a command template.", writeRoles),
    "PUT /mop/updateTemplate/:mopID",
  ),
  planned("deleteTemplate", "POST /mop/deleteTemplate/:id", "Remove a command template.", writeRoles),
  planned("exportTemplate", "POST /mop/export", "Give out one template in the form that import takes.", readRoles),
  planned("importTemplate", "POST /mop/import", "Store one exported template, under a free name.", writeRoles),
  planned(
    "RunCommand",
    "POST /mop/RunCommand",
    "Run one command on one device and judge its output by rules.",
    workRoles,
  ),
  planned(
    "RunCommandDevices",
    "POST /mop/RunCommandDevices",
    "Run one command on several devices and judge each output by rules.",
    workRoles,
  ),
  planned(
    "RunCommandTemplate",
    "POST /mop/RunCommandTemplate",
    "Run all commands of a template on devices and judge the outputs by its rules.",
    workRoles,
  ),
  planned(
    "RunCommandTemplateSingleCommand",
    "POST /mop/RunCommandTemplateSingleCommand",
    "Run one command out of a template on devices.",
    workRoles,
  ),
  planned(
    "passThru",
    "POST /mop/passThru/:device",
    "Send commands to a device as they are and give back its text.",
    writeRoles,
  ),
  planned("GetBootFlash", "POST /mop/GetBootFlash", "Find out which image a device boots from its flash.", workRoles),
  planned(
    "reattempt",
    "POST /mop/reattempt",
    "Wait some minutes before a task is tried again, a limited number of times.",
    workRoles,
  ),
  planned(
    "getDeviceObjectsFiltered",
    "POST /mop/deviceObjects",
    "Describe the devices whose names match a filter.",
    readRoles,
  ),
  planned(
    "getDevicesFiltered",
    "GET /mop/devices/:substring",
    "Name the devices whose names contain a text.",
    readRoles,
  ),
  planned(
    "getDevicesFilteredDetailedResults",
    "GET /mop/devices/detailed/:substring",
    "Name the devices whose names contain a text, and how many there are.",
    readRoles,
  ),
  planned("listAnalyticTemplates", "GET /mop/listAnalyticTemplates", "List the analytic templates.", readRoles),
  planned(
    "listAnAnalyticTemplate",
    "GET /mop/listAnAnalyticTemplate/:name",
    "Show the analytic template of this name.",
    readRoles,
  ),
  planned("createAnalyticTemplate", "POST /mop/createAnalyticTemplate", "Store a new analytic template.", writeRoles),
  planned(
    "updateAnalyticTemplate",
    "POST /mop/updateAnalyticTemplate/:mopID",
    "Replace an analytic template.",
    writeRoles,
  ),
  planned("deleteAnalyticTemplate", "POST /mop/deleteAnalyticTemplate/:id", "Remove an analytic template.", writeRoles),
  planned(
    "runAnalyticsTemplate",
    "POST /mop/runAnalyticsTemplate",
    "Compare the results before and after a change by an analytic template.",
    workRoles,
  ),
  planned(
    "runAnalyticsTemplateDevices",
    "POST /mop/runAnalyticsTemplateDevices",
    "Compare the results before and after a change device by device.",
    workRoles,
  ),
];
