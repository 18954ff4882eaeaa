import { describe, expect, it } from "vitest";
import { describeAccessibility } from "./accessibility.ts";
import { describeAppearance } from "./appearance.ts";
import { describeCommands, describeConnection, describeFirstVisit, describeLiveMessages } from "./conversation.ts";
import { describeDetails } from "./details.ts";
import { describeExplanation, describeSavedAnswers } from "./first-steps.ts";
import { describeImport } from "./import.ts";
import { describeCompletion, describeKeyboard } from "./keyboard.ts";
import { describeOperator } from "./operator.ts";
import { describePicture } from "./picture.ts";
import { describeInjection, describeStrangers } from "./safety.ts";
import { describeSidePanel } from "./side-panel.ts";
import { findChromium } from "./support/chromium.ts";
import { useBrowser } from "./support/visit.ts";

/** Reports one skipped test without a browser; fails in CI, where a browser is required. */
function describeNoBrowser(): void {
  const required = process.env.CI === "true";
  // The reporter counts skipped tests without naming them.
  if (!required) process.stdout.write("skipped: no Chromium\n");
  it.skipIf(!required)("skipped: no Chromium", () => {
    expect("CHROMIUM_PATH or a Chromium on PATH").toBe("there");
  });
}

function describeWebPage(): void {
  describe("the web page", () => {
    const browser = useBrowser();
    describeFirstVisit(browser);
    describeCommands(browser);
    describeLiveMessages(browser);
    describeConnection(browser);
    describeSidePanel(browser);
    describeExplanation(browser);
    describeSavedAnswers(browser);
    describeDetails(browser);
    describeKeyboard(browser);
    describeCompletion(browser);
    describeAppearance(browser);
    describeAccessibility(browser);
    describePicture(browser);
    describeImport(browser);
    describeOperator(browser);
    describeInjection(browser);
    describeStrangers(browser);
  });
}

const suite = findChromium() === null ? describeNoBrowser : describeWebPage;
suite();
