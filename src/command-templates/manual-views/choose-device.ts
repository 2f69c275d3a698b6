import { html, textOf, type Html } from "../../core/html.ts";
import type { OpenManualPage } from "../../core/manual-view.ts";
import type { Inventory } from "../../device-broker/index.ts";
import { choicesOf } from "./exits.ts";

/** More are not listed: the filter narrows them. */
const mostListed = 1_000;

/** chooseDevice: the devices whose names contain `filter`, one of which becomes the outgoing `device` (templates-gateway-forms.md §1.10). */
export function createChooseDevice(inventory: Pick<Inventory, "list">): OpenManualPage {
  return async (context) => {
    const filter = textOf(context.incoming["filter"]);
    const { list, total } = await inventory.list(filter === "" ? {} : { name: filter }, { limit: mostListed });
    const devices = list.map(({ name }) => name);
    return {
      title: context.task.summary || "Choose a device",
      choices: choicesOf(context, { success: "Choose", failure: "None of them" }),
      data: { filter, devices, total },
      content: () =>
        html`<p>${total} devices${filter === "" ? "" : ` with ${filter} in their name`}.</p>
          ${total > devices.length ? html`<p>The first ${devices.length} are listed.</p>` : html``}`,
      fields: () => select(devices),
    };
  };
}

function select(devices: readonly string[]): Html {
  return html`<p>
    <label for="device">Device</label>
    <select id="device" name="variables[device]">
      ${devices.map((device) => html`<option value="${device}">${device}</option> `)}
    </select>
  </p>`;
}
