// SurveyJS: one question on each page, without animations, and with its style but no fonts.
import "survey-core/survey-core.fontless.min.css";
import { Model, settings } from "survey-core";
import { renderSurvey } from "survey-js-ui";

settings.animationEnabled = false;
performance.mark("handed over");
const survey = new Model(window.bench.form);
survey.onComplete.add(({ data }) => (window.answered = data));
renderSurvey(survey, document.querySelector("main"));
